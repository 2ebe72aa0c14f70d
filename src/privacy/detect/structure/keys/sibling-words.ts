/** Keys that stand beside a person's name, and say nothing personal alone. */
export const BESIDE_PEOPLE = `gender, sex, age, marital status, birth place, birthplace, place of birth, job title, occupation, profession, salutation, nationality, hire date, hired at, salary, department, position title, blood type, height cm, weight kg, membership, loyalty, last login, last seen, avatar, avatar url, email verified, is admin, geschlecht, anrede, beruf, sexe, civilite, genero, sexo, sesso, geslacht, plec, cinsiyet, пол, должность, 性别, 性別, 職業, 职位, الجنس, bio, profile picture, user id, customer id, employee id, patient id, member id, contact id, student id, passenger id`;

/** Keys that stand beside the name of a thing. */
export const BESIDE_THINGS = `price, prices, unit price, list price, cost, currency, sku, product id, item id, version, versions, size, quantity, qty, stock, inventory, in stock, available, availability, color, colour, material, dimensions, weight, variants, options, input schema, output schema, parameters, properties, arguments, required, path, file path, mime type, mimetype, extension, bytes, checksum, sha, license, dependencies, repository, stars, forks, stargazers count, downloads, homepage, category, categories, tags, genre, genres, runtime, release date, manufacturer, brand, model, sub category, upc, ean, isbn, asin, barcode, ingredients, instructions, calories, duration, artist, album, track, tracks, ticker, symbol, exchange, market cap, volume, open, close, high, low, sector, uri, default, enum, format, nullable, primary key, data type, port, protocol, endpoint, method, region, namespace, replicas, cpu, memory, image, command, args, env, schedule, cron, is directory, is file, children, private, fork, default branch, language, full text, start date, end date, due date, priority, rarity, damage, breed, species, habitat, capital, population, iso code, flag`;

/** Keys that stand beside the sender and the recipients of a mail. */
export const BESIDE_MAIL = `subject, cc, bcc, message id, thread id, in reply to, snippet, reply to, betreff, objet, sujet, asunto, oggetto, assunto, onderwerp, temat, konu, тема, 主题, 件名, الموضوع, mime version, content type, attachments, email id, mail id`;

/** Keys that stand beside the address of a place that anyone may visit. */
export const BESIDE_PLACES = `lat, lng, lon, latitude, longitude, location, coordinates, geo, geometry, rating, ratings, reviews, review count, user ratings total, stars, opening hours, hours, open now, price level, price range, amenities, check in, check out, room, rooms, cuisine, menu, typecode, poi, place id, distance, adcode, citycode, tourist, attractions, facilities, star rating, hotel id, bedrooms, bathrooms, square feet, listing, property type, year built, neighborhood, plus code, business status, types, pname, cityname, adname`;

/** Keys that stand beside the name of a company. */
export const BESIDE_COMPANIES = `industry, vat number, vat id, vat no, registration number, company number, founded, founded year, number of employees, employee count, employees, annual revenue, revenue, legal form, duns, lei, headquarters, branche, mitarbeiterzahl, secteur, siret, siren, sector, cif, partita iva, cnpj, kvk, regon, krs, огрн, кпп, 行业, 業種, 資本金`;

/** Parts under an address. */
export const ADDRESS_PARTS = `address, line, street, number, house, building, apartment, apt, suite, unit, floor, flat, care of, attention, extra, complement, complemento, numero, nummer, nr, via, indirizzo, direccion, adresse, adres, endereco, bairro, neighbourhood, premise, thoroughfare, road, formatted, full, text, display, raw, value, formatted address, formatted value, display value, one line, single line, additional, line one, line two, first line, second line`;

/** Places too large to tell of anyone. */
export const LARGE_PLACES = `city, town, village, state, province, county, country, region, district, suburb, locality, municipality, state code, country code, country name, state province, administrative area, ort, stadt, bundesland, land, ville, pays, departement, ciudad, pais, provincia, estado, citta, comune, paese, nazione, regione, cidade, plaats, stad, provincie, miasto, kraj, wojewodztwo, sehir, il, ilce, ulke, город, страна, область, регион, 城市, 省份, 省, 市, 国家, 区, 都道府県, 市区町村, 国, المدينة, البلد, الدولة`;

/** Parts under a name. */
export const NAME_PARTS = `first, last, given, family, middle, full, display, formatted, forename, text, value, common, preferred, legal, maiden, givenname, familyname, vor, nach, nombre, apellidos, nome, nom`;

/** Words after a key that leave its meaning as it is: `phone_work`, `email_1`, `telefono_cliente`. */
export const QUALIFIERS = `or, and, work, home, primary, secondary, main, personal, private, business, office, mobile, alt, alternate, alternative, other, new, old, current, previous, default, backup, emergency, billing, shipping, delivery, contact, number, no, num, nr, value, address, full, list, all, raw, formatted, a, b, one, two, optional, required,
  de, du, des, d, la, le, l, del, della, di, do, da, dos, das, van, der, den, het, of, the, for, to, el, und, et, e, y, i, prive, professionnel, domicile, privat, geschaftlich, dienstlich, trabajo, casa, lavoro, trabalho, werk, thuis, kontaktowy, is`;

/** Keys that carry what a sibling, or the key above, names. */
export const CARRIERS = `value, val, values, content, data, answer, text, number, address, primary, secondary, work, home, personal, office, main, other, mobile, full, raw, formatted, display, national, international, e, business, private, cell, old, new, original, previous, current, from value, to value, plain text, rich text, before, after, string value, example, id, year, month, day, first, second, billing, shipping`;

/** Keys whose value is itself a key: `{ "field": "email", "value": … }`. */
export const NAMERS = `key, name, field, field name, label, property, attribute, header, column, question, type, kind, system, title, term, param, parameter, column name, document type, doc type, id type, identifier type, identification type, contact type, account type, phone type, device type`;
