# SPDX-License-Identifier: Apache-2.0
"""All languages that Budgie has a name for: those that it identifies, and rare ones that identifiers may learn.

A row has the label, the code of ISO 639-3, the script (ISO 15924) in which the language is usually written, the English
name and other names; of many its own. Three codes are none of ISO 639-3 today: `eml` has become `egl` and `rgn`, `nah`
is a group in ISO 639-2, and Tarantino has none, so that it stands here as a Romance language (`roa`).
"""

ROWS = """
aa aar Latn Afar
ab abk Cyrl Abkhaz/Abkhazian
ace ace Latn Acehnese/Achinese
ach ach Latn Acholi/Acoli
ady ady Cyrl Adyghe/Adygei
af afr Latn Afrikaans
ak aka Latn Akan/Twi/Fante
alt alt Cyrl Southern Altai/Altai
am amh Ethi Amharic
an arg Latn Aragonese
anp anp Deva Angika
ar ara Arab Arabic/العربية
arn arn Latn Mapudungun/Mapuche
ary ary Arab Moroccan Arabic/Darija
arz arz Arab Egyptian Arabic
as asm Beng Assamese
ast ast Latn Asturian/Asturianu
av ava Cyrl Avar/Avaric
awa awa Deva Awadhi
ay aym Latn Aymara
az aze Latn Azerbaijani/Azeri
azb azb Arab South Azerbaijani
ba bak Cyrl Bashkir
ban ban Latn Balinese
bar bar Latn Bavarian/Boarisch
bbc bbc Latn Batak Toba
bcl bcl Latn Central Bikol/Bikol
be bel Cyrl Belarusian/Byelorussian/Беларуская
bem bem Latn Bemba
bg bul Cyrl Bulgarian/Български
bho bho Deva Bhojpuri
bi bis Latn Bislama
bjn bjn Latn Banjar/Banjarese
bm bam Latn Bambara
bn ben Beng Bengali/Bangla/বাংলা
bo bod Tibt Tibetan
bpy bpy Beng Bishnupriya Manipuri/Bishnupriya
br bre Latn Breton
brx brx Deva Bodo
bs bos Latn Bosnian
bug bug Latn Buginese
bxr bxr Cyrl Buryat/Buriat
ca cat Latn Catalan/Valencian/Català
cak cak Latn Kaqchikel
cbk cbk Latn Chavacano
ce che Cyrl Chechen
ceb ceb Latn Cebuano/Bisaya
ch cha Latn Chamorro
chr chr Cher Cherokee
ckb ckb Arab Central Kurdish/Sorani
cnh cnh Latn Hakha Chin
co cos Latn Corsican
crh crh Latn Crimean Tatar
crs crs Latn Seychellois Creole
cs ces Latn Czech/Čeština
csb csb Latn Kashubian
cv chv Cyrl Chuvash
cy cym Latn Welsh/Cymraeg
da dan Latn Danish/Dansk
dag dag Latn Dagbani
de deu Latn German/Deutsch
din din Latn Dinka
diq diq Latn Zazaki/Dimli
doi doi Deva Dogri
dsb dsb Latn Lower Sorbian
dty dty Deva Doteli/Dotyali
dv div Thaa Dhivehi/Divehi/Maldivian
dyu dyu Latn Dyula
dz dzo Tibt Dzongkha
ee ewe Latn Ewe
el ell Grek Greek/Ελληνικά
eml eml Latn Emilian-Romagnol
en eng Latn English
eo epo Latn Esperanto
es spa Latn Spanish/Castilian/Español
et est Latn Estonian/Eesti
eu eus Latn Basque/Euskara
fa fas Arab Persian/Farsi/فارسی
ff ful Latn Fula/Fulah/Fulani/Fulfulde
fi fin Latn Finnish/Suomi
fil fil Latn Filipino/Tagalog
fj fij Latn Fijian
fo fao Latn Faroese/Føroyskt
fon fon Latn Fon
fr fra Latn French/Français
frr frr Latn North Frisian/Northern Frisian
fur fur Latn Friulian/Furlan
fy fry Latn Western Frisian/Frisian
ga gle Latn Irish/Gaeilge
gaa gaa Latn Gã
gcr gcr Latn Guianan Creole
gd gla Latn Scottish Gaelic/Gaelic
gl glg Latn Galician/Galego
glk glk Arab Gilaki
gn grn Latn Guarani
gom gom Deva Goan Konkani/Konkani
gor gor Latn Gorontalo
gsw gsw Latn Swiss German/Alemannic
gu guj Gujr Gujarati
guw guw Latn Gun
gv glv Latn Manx
ha hau Latn Hausa
haw haw Latn Hawaiian
he heb Hebr Hebrew/עברית
hi hin Deva Hindi/हिन्दी
hif hif Latn Fiji Hindi
hil hil Latn Hiligaynon/Ilonggo
hmn hmn Latn Hmong
hne hne Deva Chhattisgarhi
hr hrv Latn Croatian/Hrvatski
hsb hsb Latn Upper Sorbian
ht hat Latn Haitian Creole/Haitian
hu hun Latn Hungarian/Magyar
hy hye Armn Armenian/Հայերեն
hyw hyw Armn Western Armenian
ia ina Latn Interlingua
id ind Latn Indonesian/Bahasa Indonesia
ie ile Latn Interlingue/Occidental
ig ibo Latn Igbo
ik ipk Latn Inupiaq
ilo ilo Latn Iloko/Ilocano
inh inh Cyrl Ingush
io ido Latn Ido
is isl Latn Icelandic/Íslenska
it ita Latn Italian/Italiano
iu iku Cans Inuktitut
ja jpn Jpan Japanese/日本語
jam jam Latn Jamaican Creole/Jamaican Patois
jbo jbo Latn Lojban
jv jav Latn Javanese
ka kat Geor Georgian/ქართული
kaa kaa Latn Karakalpak/Kara-Kalpak
kab kab Latn Kabyle
kac kac Latn Jingpho/Kachin
kam kam Latn Kamba
kbd kbd Cyrl Kabardian
kbp kbp Latn Kabiyè
kea kea Latn Cape Verdean Creole/Kabuverdianu
kek kek Latn Q'eqchi'/Kekchi
kg kon Latn Kongo
kha kha Latn Khasi
ki kik Latn Kikuyu/Gikuyu
kjh kjh Cyrl Khakas
kk kaz Cyrl Kazakh/Қазақша
kl kal Latn Greenlandic/Kalaallisut
km khm Khmr Khmer/ខ្មែរ
kmb kmb Latn Kimbundu
kn kan Knda Kannada
ko kor Kore Korean/한국어
koi koi Cyrl Komi-Permyak
kr kau Latn Kanuri
krc krc Cyrl Karachay-Balkar
kri kri Latn Krio
krl krl Latn Karelian
ks kas Arab Kashmiri
ksh ksh Latn Colognian/Kölsch/Ripuarian
ku kmr Latn Kurdish/Kurmanji/Northern Kurdish
kv kom Cyrl Komi
kw cor Latn Cornish
ky kir Cyrl Kyrgyz/Kirghiz
la lat Latn Latin
lad lad Latn Ladino/Judaeo-Spanish
lb ltz Latn Luxembourgish
lez lez Cyrl Lezgian
lfn lfn Latn Lingua Franca Nova
lg lug Latn Ganda/Luganda
li lim Latn Limburgish/Limburgan
lif lif Limb Limbu
lij lij Latn Ligurian
lld lld Latn Ladin
lmo lmo Latn Lombard
ln lin Latn Lingala
lo lao Laoo Lao
loz loz Latn Lozi
lrc lrc Arab Northern Luri
lt lit Latn Lithuanian/Lietuvių
ltg ltg Latn Latgalian
lua lua Latn Luba-Kasai/Tshiluba/Luba-Lulua
luo luo Latn Luo/Dholuo
lus lus Latn Mizo/Lushai
lv lav Latn Latvian/Latviešu
mad mad Latn Madurese
mag mag Deva Magahi
mai mai Deva Maithili
mdf mdf Cyrl Moksha
mfe mfe Latn Mauritian Creole/Morisyen
mg mlg Latn Malagasy
mhr mhr Cyrl Meadow Mari/Eastern Mari
mi mri Latn Maori
min min Latn Minangkabau
mk mkd Cyrl Macedonian/Македонски
ml mal Mlym Malayalam
mn mon Cyrl Mongolian
mni mni Beng Manipuri/Meitei
mnw mnw Mymr Mon (Myanmar)
mos mos Latn Mossi/Mooré
mr mar Deva Marathi
mrj mrj Cyrl Hill Mari/Western Mari
ms msa Latn Malay/Bahasa Melayu
mt mlt Latn Maltese/Malti
mwl mwl Latn Mirandese
my mya Mymr Burmese/Myanmar/မြန်မာ
myv myv Cyrl Erzya
mzn mzn Arab Mazanderani/Mazandarani
nah nah Latn Nahuatl
nan nan Latn Southern Min/Min Nan/Hokkien
nap nap Latn Neapolitan
nd nde Latn Northern Ndebele/North Ndebele
nds nds Latn Low German/Low Saxon
nds-NL nds Latn Dutch Low Saxon
ne nep Deva Nepali
new new Deva Newar/Newari
nl nld Latn Dutch/Flemish/Nederlands
nn nno Latn Norwegian Nynorsk/Nynorsk
no nob Latn Norwegian Bokmål/Norwegian/Bokmål/Bokmal/Norsk
nqo nqo Nkoo N'Ko
nr nbl Latn Southern Ndebele/South Ndebele
nso nso Latn Northern Sotho/Pedi/Sepedi
nus nus Latn Nuer
ny nya Latn Chichewa/Nyanja
oc oci Latn Occitan
olo olo Latn Livvi-Karelian/Livvi/Olonets
om orm Latn Oromo
or ori Orya Odia/Oriya
os oss Cyrl Ossetic/Ossetian
pa pan Guru Punjabi/Panjabi
pag pag Latn Pangasinan
pam pam Latn Pampanga/Kapampangan
pap pap Latn Papiamento/Papiamentu
pcd pcd Latn Picard
pcm pcm Latn Nigerian Pidgin
pfl pfl Latn Palatine German/Pfälzisch
pl pol Latn Polish/Polski
pms pms Latn Piedmontese
pnb pnb Arab Western Punjabi/Shahmukhi
prs prs Arab Dari
ps pus Arab Pashto
pt por Latn Portuguese/Português
qu que Latn Quechua
quc quc Latn K'iche'/Kiche/Quiché
rif rif Latn Tarifit/Riffian
rm roh Latn Romansh
rmy rmy Latn Vlax Romani/Romani
rn run Latn Rundi/Kirundi
ro ron Latn Romanian/Moldovan/Română
roa-tara roa Latn Tarantino
rsk rsk Cyrl Pannonian Rusyn/Ruthenian
ru rus Cyrl Russian/Русский
rue rue Cyrl Rusyn/Carpathian Rusyn
rw kin Latn Kinyarwanda
sa san Deva Sanskrit
sah sah Cyrl Yakut/Sakha
sat sat Olck Santali
sc srd Latn Sardinian
scn scn Latn Sicilian
sco sco Latn Scots
sd snd Arab Sindhi
se sme Latn Northern Sami
sg sag Latn Sango
sgs sgs Latn Samogitian
shi shi Latn Tachelhit/Shilha
shn shn Mymr Shan
si sin Sinh Sinhala/Sinhalese
sk slk Latn Slovak/Slovenčina
skr skr Arab Saraiki
sl slv Latn Slovenian/Slovene/Slovenščina
sm smo Latn Samoan
smn smn Latn Inari Sami
sn sna Latn Shona
so som Latn Somali
sq sqi Latn Albanian/Shqip
sr srp Cyrl Serbian/Српски
srn srn Latn Sranan Tongo
ss ssw Latn Swati/Swazi
st sot Latn Sotho/Southern Sotho
stq stq Latn Saterland Frisian/Saterfriesisch
su sun Latn Sundanese
sv swe Latn Swedish/Svenska
sw swa Latn Swahili/Kiswahili
syr syr Syrc Syriac
szl szl Latn Silesian
ta tam Taml Tamil/தமிழ்
taq taq Latn Tamasheq
tcy tcy Knda Tulu
te tel Telu Telugu/తెలుగు
tet tet Latn Tetum/Tetun
tg tgk Cyrl Tajik
th tha Thai Thai/ไทย
ti tir Ethi Tigrinya
tig tig Ethi Tigre
tiv tiv Latn Tiv
tk tuk Latn Turkmen
tn tsn Latn Tswana/Setswana
to ton Latn Tongan
tok tok Latn Toki Pona
tpi tpi Latn Tok Pisin
tr tur Latn Turkish/Türkçe
ts tso Latn Tsonga
tt tat Cyrl Tatar
tum tum Latn Tumbuka
ty tah Latn Tahitian
tyv tyv Cyrl Tuvan/Tuvinian
udm udm Cyrl Udmurt
ug uig Arab Uyghur/Uighur
uk ukr Cyrl Ukrainian/Українська
umb umb Latn Umbundu
ur urd Arab Urdu/اردو
uz uzb Latn Uzbek
ve ven Latn Venda
vec vec Latn Venetian
vep vep Latn Veps
vi vie Latn Vietnamese/Tiếng Việt
vo vol Latn Volapük/Volapuk
vot vot Latn Votic
vro vro Latn Võro
wa wln Latn Walloon
war war Latn Waray
wo wol Latn Wolof
wuu wuu Hans Wu Chinese/Wu/Shanghainese
xal xal Cyrl Kalmyk
xh xho Latn Xhosa
xmf xmf Geor Mingrelian/Megrelian
yi yid Hebr Yiddish
yo yor Latn Yoruba
yua yua Latn Yucatec Maya
yue yue Hant Cantonese/粵語
zea zea Latn Zeelandic/Zeeuws
zgh zgh Tfng Standard Moroccan Tamazight
zh zho Hans Simplified Chinese/Chinese/Mandarin/Mandarin Chinese/中文/简体中文
zh-Hant zho Hant Traditional Chinese/繁體中文
zu zul Latn Zulu
"""
