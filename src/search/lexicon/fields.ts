/**
 * Wide fields and the topics within them: `field: topics`. Weakest: whoever says a word of a topic may be served by a
 * tool that only names the field.
 */
export const FIELDS = `
finance: stock investment trading option earnings filing fundamental crypto bitcoin blockchain nft defi currency forex economy bank loan mortgage tax budget
travel: flight hotel airbnb train bus taxi cruise ferry car_rental attraction visa beach ski hiking camping tourism luggage
shopping: product fashion clothing electronics appliance furniture beauty toy jewelry gift coupon ecommerce grocery
product: fashion clothing electronics appliance furniture beauty toy jewelry shopping
real_estate: apartment house mortgage villa home_improvement tenant
education: course university exam homework math physics chemistry biology tutor language_learning flashcard
course: education exam homework math language_learning tutor skill
research: paper citation pubmed science physics chemistry biology
health: doctor medicine symptom drug mental_health diet nutrition fitness sleep pregnancy
news: politics election government economy disaster
media: movie music podcast video audio image
entertainment: movie music game tv book concert anime
document: pdf word_document spreadsheet presentation markdown
writing: essay story poem grammar email
code: programming github git repository debugging
cloud: aws azure kubernetes docker storage
database: sql postgres mysql mongodb redis sqlite
marketing: seo social_media email_marketing advertising
map: route geocode place parking attraction
job: resume interview recruiting freelance salary career
law: contract court legislation patent trademark immigration
food: recipe restaurant nutrition grocery cocktail wine coffee diet
weather: forecast climate air_quality marine
sport: football basketball baseball tennis golf
productivity: calendar task note reminder todo meeting
communication: email slack sms discord telegram whatsapp
security: vulnerability malware password phishing privacy
data: chart statistics spreadsheet data_analysis dataset
design: logo color font icon image_editing
`;

/** Things of everyday life by their kind: `kind: things`. One way, from the thing to its kind. */
export const THINGS = `
product: shoes sneakers boots shirt jeans jacket coat dress bag backpack watch necklace sunglasses laptop tablet smartphone headphones earbuds speaker camera television monitor printer keyboard console sofa chair desk mattress lamp toy bicycle vacuum fridge oven blender perfume lipstick tent
electronics: laptop tablet smartphone iphone headphones earbuds speaker camera television monitor printer keyboard console drone
appliance: fridge oven microwave dishwasher vacuum blender kettle
crypto: bitcoin ethereum litecoin ripple xrp cardano solana dogecoin polkadot tether stablecoin altcoin
currency: dollar euro yen pound yuan rupee peso won franc usd eur jpy gbp cny inr
house: villa cottage farmhouse bungalow mansion townhouse duplex
vehicle: car truck van motorcycle suv
transport: ferry bus train tram subway taxi metro flight
subject: math algebra calculus physics chemistry biology geography economics
`;
