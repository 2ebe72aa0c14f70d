/** Japanese words and their English glosses, read like the Chinese ones. Strong (about .8), one way. */
export const GLOSSES_JA = `
取得 get fetch
検索 search
検索する search
探す find search
探して find search
調べる search lookup
調べて search lookup
一覧 list
リスト list
表示 show display
見せて show
教えて get information
作成 create
作る create make
作って create make
生成 generate
追加 add
登録 register add
更新 update
編集 edit
変更 change update
修正 fix
削除 delete
消去 delete
送信 send
送る send
投稿 post
公開 publish
共有 share
通知 notification
返信 reply
実行 run execute
開始 start
停止 stop
終了 end
再起動 restart
変換 convert
翻訳 translate
要約 summarize summary
出力 output export
入力 input
読み込み load read
読み取り read
読む read
書き込み write
書く write
保存 save
ダウンロード download
アップロード upload
抽出 extract
比較 compare
分析 analyze analysis
解析 parse analyze
確認 check confirm
検証 verify validate
監視 monitor
計算 calculate
予測 predict forecast
予約 booking reservation
予定 schedule calendar
購入 buy purchase
注文 order
支払い payment
決済 payment
設定 settings configure
管理 manage
接続 connect
認証 authentication
天気 weather
天気予報 weather forecast
気温 temperature
地震 earthquake
地図 map
経路 route
ルート route
場所 place location
住所 address
郵便番号 postcode
緯度 latitude
経度 longitude
近く nearby
周辺 nearby
電車 train
新幹線 shinkansen train
駅 station
時刻表 timetable
乗換 transfer route transit
飛行機 airplane flight
航空券 flight ticket
空港 airport
旅行 travel
観光 sightseeing tourism
ホテル hotel
宿泊 accommodation hotel
レストラン restaurant
料理 dish cooking
レシピ recipe
食べ物 food
健康 health
病院 hospital
薬 medicine drug
ニュース news
記事 article
動画 video
映画 movie
アニメ anime
漫画 manga
音楽 music
曲 song
歌詞 lyrics
音声 voice speech audio
画像 image
写真 photo
グラフ graph chart
図 diagram
フローチャート flowchart
ファイル file
フォルダ folder
文書 document
ドキュメント document documentation
テキスト text
表計算 spreadsheet
スプレッドシート spreadsheet
スライド slide presentation
データ data
データベース database
テーブル table
メモ note
ノート note
タスク task
課題 issue task
プロジェクト project
会議 meeting
カレンダー calendar
メール email
メッセージ message
チャット chat
連絡先 contact
ユーザー user
ユーザ user
アカウント account
パスワード password
会社 company
企業 company
求人 job
株価 stock price
株式 stock
為替 exchange rate forex
通貨 currency
暗号通貨 cryptocurrency
仮想通貨 cryptocurrency
価格 price
値段 price
商品 product
在庫 inventory stock
法律 law
法令 law regulation
特許 patent
論文 paper
辞書 dictionary
言語 language
本 book
図書 book
コード code
リポジトリ repository
ブランチ branch
コミット commit
プルリクエスト pull request
サーバー server
サーバ server
クラウド cloud
ログ log
エラー error
ウェブ web
ウェブサイト website
サイト website
ページ page
ブラウザ browser
リンク link
記憶 memory
知識 knowledge
時間 time
時刻 time
日付 date
今日 today
明日 tomorrow
現在 current
最新 latest
占い fortune horoscope
不動産 real estate property
政府統計 government statistics
統計 statistics
勤怠 attendance
請求書 invoice
会計 accounting
`;

/** Korean words and their English glosses, found at the beginning of a word. Strong (about .8), one way. */
export const GLOSSES_KO = `
검색 search
찾기 find
찾아 find search
조회 query get
가져오기 get fetch
목록 list
보기 view
보여 show
알려 get information
생성 generate create
만들기 create
만들어 create make
추가 add
등록 register
수정 edit update
편집 edit
변경 change
업데이트 update
삭제 delete
제거 remove
전송 send
보내기 send
보내 send
게시 post publish
공유 share
알림 notification
답장 reply
실행 run execute
시작 start
중지 stop
변환 convert
번역 translate
요약 summarize summary
다운로드 download
업로드 upload
저장 save store
추출 extract
비교 compare
분석 analyze analysis
확인 check confirm
검증 verify validate
모니터링 monitor
계산 calculate
예측 predict
예약 booking reservation
일정 schedule calendar
구매 buy purchase
주문 order
결제 payment
설정 settings configure
관리 manage
날씨 weather
기온 temperature
예보 forecast
미세먼지 air quality
지진 earthquake
지도 map
경로 route
길찾기 directions route
위치 location
장소 place
주소 address
근처 nearby
주변 nearby
기차 train
지하철 subway
버스 bus
항공권 flight ticket
비행기 flight airplane
공항 airport
여행 travel
호텔 hotel
숙소 accommodation
맛집 restaurant
식당 restaurant
레시피 recipe
음식 food
건강 health
병원 hospital
약국 pharmacy
뉴스 news
기사 article
영상 video
동영상 video
영화 movie
음악 music
노래 song
가사 lyrics
음성 voice speech
이미지 image
사진 photo
그림 picture drawing
차트 chart
그래프 graph chart
파일 file
폴더 folder
문서 document
텍스트 text
표 table
데이터 data
데이터베이스 database
메모 note
할일 todo
작업 task
이슈 issue
프로젝트 project
회의 meeting
캘린더 calendar
이메일 email
메일 email
메시지 message
채팅 chat
사용자 user
계정 account
비밀번호 password
회사 company
채용 job recruitment
주식 stock
주가 stock price
환율 exchange rate
암호화폐 cryptocurrency
코인 coin crypto
가격 price
상품 product
쇼핑 shopping
부동산 real estate
법률 law
법령 law regulation
특허 patent
논문 paper
사전 dictionary
언어 language
책 book
도서 book
코드 code
저장소 repository
서버 server
웹사이트 website
페이지 page
브라우저 browser
기억 memory
지식 knowledge
시간 time
날짜 date
오늘 today
내일 tomorrow
현재 current
최신 latest
통계 statistics
공공데이터 open data government
운세 horoscope fortune
`;

/** German words and their English glosses. Strong (about .8), one way. */
export const GLOSSES_DE = `
suche search
suchen search
finde find
finden find
zeige show list
zeigen show
anzeigen show display
auflisten list
liste list
abrufen get retrieve
holen get
lesen read
öffnen open
öffne open
schließen close
erstelle create
erstellen create
anlegen create
erzeuge generate
erzeugen generate
generieren generate
schreibe write
schreiben write
hinzufügen add
füge add
ändern change update
ändere change update
aktualisieren update
aktualisiere update
bearbeiten edit
bearbeite edit
umbenennen rename
löschen delete
lösche delete
entfernen remove
entferne remove
senden send
sende send
schicke send
schicken send
veröffentlichen publish
teilen share
antworten reply
ausführen run execute
starten start
starte start
stoppen stop
beenden stop end
umwandeln convert
konvertieren convert
umrechnen convert
übersetze translate
übersetzen translate
übersetzung translation
zusammenfassen summarize
zusammenfassung summary
herunterladen download
hochladen upload
speichern save
speichere save
vergleichen compare
vergleiche compare
analysieren analyze
prüfen check validate
prüfe check validate
überwachen monitor
berechnen calculate
berechne calculate
planen plan schedule
buchen book reservation
buche book reservation
kaufen buy shopping
bestellen order
bezahlen pay payment
zeichne draw
zeichnen draw
abspielen play
wetter weather
wettervorhersage weather forecast
vorhersage forecast
regen rain
regnet rain weather
temperatur temperature
karte map
strecke route
entfernung distance
anschrift address
adresse address
ort place location
stadt city
nähe nearby
zug train
bahn train railway
bahnhof station
fahrplan timetable
abfahrt departure
ankunft arrival
flug flight
flüge flight
flughafen airport
reise travel trip
urlaub vacation travel
unterkunft accommodation
auto car
gaststätte restaurant
rezept recipe
rezepte recipe
essen food
gesundheit health
arzt doctor
medikament medicine drug
krankheit disease
nachricht message
nachrichten news message
artikel article
bild image
bilder image
foto photo
filme movie
musik music
lied song
spiel game
spiele game
diagramm chart diagram
datei file
dateien file
ordner folder
verzeichnis directory
dokument document
dokumente document
tabelle table spreadsheet
tabellen table
daten data
datenbank database
abfrage query
notiz note
notizen note
aufgabe task
aufgaben task
projekt project
besprechung meeting
termin appointment calendar
termine appointment calendar
kalender calendar
erinnerung reminder
benutzer user
konto account
passwort password
kennwort password
kunde customer
kunden customer
firma company
unternehmen company
stelle job
stellenangebote job
gehalt salary
aktie stock
aktien stock
aktienkurs stock price
börse stock market
kurs price rate course
wechselkurs exchange rate
währung currency
preis price
preise price
kosten cost
rechnung invoice
rabatt discount
gutschein coupon
geschenk gift
produkt product
wohnung apartment
haus house
gesetz law
recht law legal
vertrag contract
schule school
lernen learn
buch book
bücher book
wörterbuch dictionary
sprache language
wort word
mathe math
quelltext source code
fehler error bug
zweig branch
rechner calculator computer
speicher storage memory
protokoll log
webseite website
seite page
zeit time
uhrzeit time
datum date
heute today
morgen tomorrow
aktuell current
aktuelle current
neueste latest
horoskop horoscope
licht light
gerät device
geräte device
pflanze plant
haustier pet
hund dog
katze cat
`;

/** French words and their English glosses. Strong (about .8), one way. */
export const GLOSSES_FR = `
chercher search
cherche search
rechercher search
recherche search
trouver find
trouve find
afficher show display
affiche show
montrer show
montre show
lister list
obtenir get
récupérer get retrieve
récupère get retrieve
lire read
ouvrir open
fermer close
créer create
crée create
générer generate
génère generate
écrire write
rédiger write
ajouter add
ajoute add
changer change
mettre update
actualiser update
renommer rename
supprimer delete
supprime delete
effacer delete
retirer remove
envoyer send
envoie send
publier publish
partager share
répondre reply
exécuter run execute
lancer run start
démarrer start
arrêter stop
convertir convert
traduire translate
traduis translate
traduction translation
résumer summarize
résume summarize
résumé summary
télécharger download
téléverser upload
enregistrer save
sauvegarder save backup
comparer compare
analyser analyze
vérifier check verify
surveiller monitor
calculer calculate
calcule calculate
planifier plan schedule
réserver book reservation
réserve book reservation
acheter buy shopping
commander order
payer pay payment
dessiner draw
jouer play
écouter listen
regarder watch
météo weather
temps weather time
prévision forecast
prévisions forecast
pluie rain
pleuvoir rain weather
température temperature
carte map
itinéraire route directions
trajet route
adresse address
lieu place
ville city
proximité nearby
proche nearby
gare station
horaire timetable
horaires timetable
départ departure
arrivée arrival
vol flight
vols flight
aéroport airport
voyage travel trip
vacances vacation travel
hôtel hotel
hôtels hotel
hébergement accommodation
voiture car
recette recipe
recettes recipe
repas meal
nourriture food
santé health
médecin doctor
médicament medicine drug
maladie disease
actualités news
actualité news
nouvelles news
photographie photo
vidéo video
vidéos video
musique music
chanson song
jeu game
jeux game
graphique chart
diagramme diagram
fichier file
fichiers file
dossier folder
répertoire directory
texte text
tableau table
tableur spreadsheet
feuille sheet
données data
requête query
tâche task
tâches task
projet project
réunion meeting
rendez appointment
calendrier calendar
agenda calendar
rappel reminder
courriel email
messagerie message
utilisateur user
utilisateurs user
compte account
entreprise company
société company
emploi job
salaire salary
bourse stock market
taux rate
devise currency
monnaie currency
prix price
coût cost
facture invoice
réduction discount
cadeau gift
produit product
produits product
appartement apartment
maison house
immobilier real estate
loi law
droit law legal
contrat contract
brevet patent
école school
apprendre learn
cours course
livre book
livres book
dictionnaire dictionary
langue language
mot word
mathématiques math
dépôt repository
branche branch
erreur error
serveur server
stockage storage
mémoire memory
heure time
aujourd today
demain tomorrow
actuel current
actuelle current
dernier latest
dernières latest
lumière light
appareil device
plante plant
chien dog
`;

/** Spanish words and their English glosses. Strong (about .8), one way. */
export const GLOSSES_ES = `
buscar search
busca search
búsqueda search
encontrar find
encuentra find
mostrar show display
muestra show
muéstrame show
listar list
lista list
obtener get
obtén get
consultar query get
consulta query
leer read
abrir open
cerrar close
crear create
crea create
generar generate
genera generate
escribir write
escribe write
agregar add
agrega add
añadir add
añade add
modificar modify edit
editar edit
cambiar change
cambia change
actualizar update
actualiza update
renombrar rename
eliminar delete remove
elimina delete remove
borrar delete
borra delete
quitar remove
enviar send
envía send
publicar publish
compartir share
responder reply
ejecutar run execute
ejecuta run execute
iniciar start
detener stop
convertir convert
convierte convert
traducir translate
traduce translate
traducción translation
resumir summarize
resumen summary
descargar download
subir upload
guardar save
comparar compare
compara compare
analizar analyze
analiza analyze
verificar check verify
comprobar check
validar validate
monitorear monitor
calcular calculate
calcula calculate
planificar plan schedule
programar schedule
reservar book reservation
reserva book reservation
comprar buy shopping
pedir order
pedido order
pagar pay payment
pago payment
dibujar draw
jugar play
escuchar listen
clima weather
tiempo weather time
pronóstico forecast
lluvia rain
llover rain weather
lloverá rain weather
temperatura temperature
mapa map
ruta route
distancia distance
dirección address
ubicación location
lugar place
lugares place
ciudad city
país country
cerca nearby
cercano nearby
tren train
trenes train
estación station
horario timetable
salida departure
llegada arrival
vuelo flight
vuelos flight
aeropuerto airport
viaje travel trip
viajar travel
vacaciones vacation travel
hoteles hotel
alojamiento accommodation
coche car
carro car
restaurante restaurant
restaurantes restaurant
receta recipe
recetas recipe
comida food meal
salud health
médico doctor
medicamento medicine drug
enfermedad disease
noticias news
noticia news
artículo article
artículos article
imagen image
imágenes image
foto photo
película movie
películas movie
música music
canción song
canciones song
juego game
juegos game
gráfico chart
gráfica chart
diagrama diagram
archivo file
archivos file
fichero file
carpeta folder
directorio directory
documento document
documentos document
texto text
tabla table
tablas table
datos data
nota note
notas note
tarea task
tareas task
proyecto project
reunión meeting
cita appointment
calendario calendar
evento event
eventos event
recordatorio reminder
correo email
correos email
mensaje message
mensajes message
usuario user
usuarios user
cuenta account
contraseña password
cliente customer
clientes customer
empresa company
empleo job
trabajo job work
sueldo salary
salario salary
acciones stock
bolsa stock market
precio price
precios price
cotización quote price
cambio exchange
moneda currency
divisa currency
costo cost
coste cost
factura invoice
descuento discount
cupón coupon
regalo gift
producto product
productos product
apartamento apartment
piso apartment
casa house
inmobiliaria real estate
ley law
contrato contract
patente patent
escuela school
aprender learn
curso course
libro book
libros book
diccionario dictionary
idioma language
palabra word
matemáticas math
código code
repositorio repository
repositorios repository
rama branch
errores error
servidor server
almacenamiento storage
memoria memory
registro log record
página page
sitio site website
enlace link
hora time
fecha date
hoy today
mañana tomorrow
última latest
últimas latest
horóscopo horoscope
luz light
dispositivo device
planta plant
mascota pet
perro dog
gato cat
`;

/** German, French and Spanish stop words; only for queries with a gloss in them, as some are English words too. */
export const STOP_OTHER = `
der das dem des ein eine einen einem einer eines und oder aber mit ohne für von vom zum zur auf aus bei nach über
unter durch ich du er sie wir ihr mein meine meinen dein mir mich dir uns ist sind wird werden kann kannst können möchte
bitte wie wo wer wann welche welcher welches nicht kein keine auch noch nur alle allen gibt es im ins zu
le la les un une et ou mais avec sans dans sur par chez je tu il elle nous vous ils mon ma mes ta tes votre vos
notre nos ce cette ces qui que quoi quel quelle quels quelles où comment est sont peux peut voudrais veux moi toi pour
el los las una unos unas del al y o pero con sin en por para yo tú él ella nosotros mi mis tus su sus este esta estos
estas qué cuál cuáles quién dónde cómo cuándo está están puedo puedes quiero quisiera necesito favor me se lo
todos todas muy más
`;
