/**
 * Wide fields and the topics within them: `field: topics`. Weakest: whoever says a word of a topic may be served by a
 * tool that only names the field. It groups the topics of `topics.ts` and adds no words to them.
 */
export const FIELDS = `
finance: stock investment trading option earnings filing fundamental crypto bitcoin blockchain nft defi currency forex economy bank loan mortgage tax budget
travel: flight hotel airbnb train bus taxi cruise car_rental attraction visa beach ski hiking camping
shopping: product fashion clothing furniture beauty gift coupon ecommerce grocery
real_estate: apartment mortgage home_improvement
education: course university exam homework math physics chemistry biology tutor language_learning flashcard
research: paper citation pubmed science physics chemistry biology
health: doctor medicine symptom drug mental_health diet nutrition fitness sleep pregnancy
news: politics election government economy disaster
media: movie music podcast video audio image
entertainment: movie music game tv book concert anime
document: pdf word_document spreadsheet presentation markdown
writing: essay story poem grammar email
code: programming github git
cloud: aws azure kubernetes docker storage
database: sql
marketing: seo social_media advertising
map: route geocode place parking attraction
job: resume interview recruiting freelance salary career
law: contract court legislation patent trademark immigration
food: recipe restaurant nutrition grocery cocktail wine coffee diet
weather: forecast climate air_quality marine
sport: football basketball baseball tennis golf
productivity: calendar task note reminder todo meeting
communication: email slack sms discord telegram whatsapp
security: vulnerability malware password phishing privacy
data: chart statistics spreadsheet data_analysis
design: logo color font icon image_editing
`;
