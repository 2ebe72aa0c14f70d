/**
 * Wide fields and the topics within them: `field: topics`. Weakest: whoever says a word of a topic may be served by a
 * tool that only names the field. It groups the topics of `topics.ts` and adds no words to them.
 */
export const FIELDS = `
finance: stock investment trading option earnings edgar fundamental valuation currency forex economy bank bank_account loan mortgage tax budget expense insurance personal_finance retirement etf bond technical_analysis backtest commodity gold interest_rate credit_card credit_score debt venture_capital accountant payment crypto market_news stock_screener insider_trading net_worth fred
crypto: bitcoin ethereum blockchain wallet nft defi token dao smart_contract stablecoin gas_fee web3 blockchain_explorer
travel: flight hotel airbnb train bus ferry taxi cruise car_rental attraction visa passport beach ski hiking camping itinerary destination road_trip airline airport theme_park national_park packing_list luggage tour_guide tour vacation_rental hostel expat travel_advisory
transport: train bus transit taxi ferry bike_sharing cycling traffic parking flight
car: used_car car_rental car_repair ev charging_station gas_station vin license_plate parking motorcycle rv
map: route geocode place traffic elevation gis geography parking gas_station charging_station
shopping: product price coupon gift amazon ebay fashion clothing shoes jewelry beauty skincare furniture electronics grocery auction secondhand price_comparison product_review appliance
ecommerce: shopping product inventory delivery product_description print_on_demand amazon ebay stripe
food: recipe restaurant grocery nutrition diet cooking baking meal_plan menu food_delivery vegan allergy food_safety spice bbq kitchen
drink: cocktail wine beer coffee tea
health: doctor hospital dentist pharmacy medicine drug symptom disease vaccine covid cancer diabetes blood_test first_aid mental_health diet nutrition fitness sleep pregnancy fertility weight_loss allergy bmi supplement addiction disability elderly therapy meditation fitness_tracker clinical_trial medical_record medical_imaging physiotherapy heart skin menstruation breastfeeding
fitness: workout yoga jogging cycling fitness_tracker weight_loss bmi
weather: forecast climate hurricane snow uv_index pollen air_quality tide surf sunrise weather_alert ski
environment: climate air_quality pollen sustainability carbon_footprint recycling wildlife water energy wildfire flood ecology agriculture
education: course university exam homework flashcard tutor language_learning school teacher lesson_plan scholarship college_admission quiz math physics chemistry biology history essay
research: paper citation pubmed literature_review clinical_trial science dataset patent survey market_research
science: physics chemistry biology astronomy space genome protein molecule material bioinformatics neuroscience anatomy taxonomy quantum geology ecology oceanography particle_physics fossil
math: calculator statistics probability symbolic_math unit_conversion logic theorem_proving graph_theory optimization cryptography
job: resume cover_letter interview recruiting freelance salary career remote_work workplace skill
law: contract court case_law legislation regulation compliance copyright trademark patent immigration lawyer divorce privacy e_signature visa
government: legislation regulation election politics census open_data public_service tax court immigration military public_record
real_estate: apartment rent mortgage property_tax zoning floor_plan interior_design home_improvement relocation vacation_rental
home: furniture interior_design home_improvement home_repair garden smart_home housekeeping appliance lawn pest
pet: dog cat pet_adoption veterinarian
family: parenting baby baby_name children pregnancy wedding family_tree genealogy bedtime_story childcare babysitter
entertainment: movie tv streaming anime music concert game trivia joke meme puzzle celebrity theater festival comic superhero quiz lottery word_game
media: movie tv music podcast radio video youtube news streaming audio live_stream journalism
music: song playlist lyrics concert guitar piano sheet_music music_theory music_generation midi spotify radio
audio: podcast radio text_to_speech speech_to_text voice_cloning sound_effect audio_editing audiobook
video: youtube video_editing video_generation subtitle live_stream screen_recording tiktok video_script
game: chess board_game minecraft pokemon puzzle steam video_game card_game poker text_adventure dungeons_and_dragons magic_card word_game crossword trivia game_development
sport: football soccer nfl basketball baseball hockey cricket tennis golf racing boxing fantasy_sport live_score betting horse_racing
event: concert theater festival conference meetup party wedding ticket nightlife holiday
astrology: horoscope birth_chart chinese_zodiac numerology tarot bazi compatibility
religion: bible quran torah prayer islam christianity hindu buddhist spirituality
news: article journalism trending rss fact_check politics press_release
social_media: twitter instagram reddit linkedin facebook tiktok hashtag influencer trending content_creation
communication: email sms phone slack discord telegram whatsapp microsoft_teams meeting zoom newsletter
productivity: calendar todo task reminder note meeting email habit goal time_tracking timer project_management appointment bookmark
document: pdf word_document spreadsheet presentation letter contract ocr document_chat file_conversion ebook e_signature
writing: essay story poem letter copywriting grammar proofreading paraphrase spelling screenplay worldbuilding article content_creation cover_letter
language: translation language_learning grammar dictionary pronunciation spelling sign_language
marketing: seo advertising copywriting email_marketing social_media brand keyword_research google_ads customer_feedback newsletter influencer market_research cold_email ad_creative
business: company startup marketing sales crm invoice market_research competitor company_registry human_resources payroll customer_support funding logistics supply_chain
code: programming git github gitlab code_review code_execution python javascript react frontend testing debugger static_analysis language_server documentation package code_search code_generation refactoring dependency mobile_app api
cloud: azure aws gcp serverless vm storage kubernetes docker infrastructure terraform cost_management deployment web_hosting backup
monitoring: log metric incident observability uptime error_tracking
database: sql schema data_warehouse vector_database graph_database message_queue etl
security: vulnerability malware password phishing privacy cybersecurity penetration_testing data_breach encryption authentication osint ssl secret
web: website web_search web_scraping browser html url web_page domain browser_automation website_builder seo cms
automation: workflow zapier browser_automation desktop_automation no_code smart_home macro
design: logo figma ui_design color font icon poster infographic image_editing 3d interior_design tattoo
image: image_generation image_editing photography image_search stock_photo background_removal upscale tattoo poster logo icon gif
visualization: chart diagram flowchart mind_map data_visualization timeline infographic whiteboard dashboard
`;
