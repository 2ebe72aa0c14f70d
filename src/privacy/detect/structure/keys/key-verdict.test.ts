import { describe, expect, it } from "vitest";
import { classOfKey } from "./key-verdict.ts";

const CLASSES: { readonly [name: string]: string } = {
  EMAIL:
    "email, e-mail, E-Mail, eMail, EMAIL_ADDRESS, emailAddress, assigned_to_email, customer_email, work email, email2, correo, correo electrónico, courriel, adresse e-mail, Indirizzo e-mail, e-mailadres, adres e-mail, e-posta, электронная почта, 邮箱, 电子邮件, メールアドレス, البريد الإلكتروني, billing.email, contact-email, emails, emailaddress",
  PHONE:
    "phone, phoneNumber, mobile, cell_phone, tel, Telefon, Handynummer, téléphone, número de teléfono, cellulare, telemóvel, telefoonnummer, numer telefonu, cep telefonu, телефон, 手机号码, 電話, 電話番号, رقم الهاتف, customer_phone, phone_work, telefono_cliente, billing phone number, fax, Mobile No., phones",
  NAME: "customer_name, firstName, first_name, last-name, LastName, full name, surname, fname, Kundenname, Vorname, Nachname, prénom, nom de famille, nombre completo, apellidos, cognome, sobrenome, achternaam, imię, nazwisko, ad soyad, фамилия, ФИО, 姓名, 氏名, お名前, الاسم الكامل, patient name, nom_client, nombre_cliente, nome do cliente, employeeName, contactname, account_holder, cardholderName, your name, author_name, primary_contact_name",
  COMPANY:
    "company, company_name, companyName, organisation, employer, Firma, Firmenname, société, empresa, azienda, bedrijf, şirket, компания, 公司名称, 会社名, شركة, vendor_name, supplierName",
  DATE_OF_BIRTH:
    "dob, dateOfBirth, birth_date, birthday, Geburtsdatum, date de naissance, fecha de nacimiento, data di nascita, data de nascimento, geboortedatum, data urodzenia, doğum tarihi, дата рождения, 出生日期, 生年月日, تاريخ الميلاد, patient_dob",
  ADDRESS:
    "street, street_address, address1, address_line_1, addressLine2, shipping_address, billingAddress, home address, Straße, Lieferadresse, Anschrift, domicilio, endereço de entrega, woonadres, adres zamieszkania, домашний адрес, 住址, 住所",
  POSTAL_CODE:
    "zip, zipCode, postal_code, postcode, PLZ, Postleitzahl, code postal, código postal, CAP, CEP, kod pocztowy, posta kodu, почтовый индекс, 邮编, 郵便番号",
  SSN: "ssn, social_security_number, SSN",
  IBAN: "iban, IBAN",
  BANK_ACCOUNT: "account_number, bankAccountNumber, Kontonummer, numéro de compte",
  CREDIT_CARD: "credit_card_number, cardNumber, Kreditkartennummer, numéro de carte",
  PASSPORT: "passport_number, passportNo, Reisepassnummer, номер паспорта, 护照号码",
  DRIVING_LICENCE: "drivers_license, drivingLicenceNumber, Führerscheinnummer, permis de conduire",
  NATIONAL_ID:
    "national_id, tax_id, nino, Steuernummer, codice fiscale, DNI, CPF, BSN, PESEL, ИНН, 身份证号, aadhaar_number",
  USER_ID:
    "username, userName, login, screen_name, Benutzername, nom d'utilisateur, 用户名, user_id, customerId",
  PASSWORD: "password, passwd, Passwort, mot de passe, contraseña, пароль, 密码, client_secret",
  API_KEY: "api_key, apiKey, access_token, secretAccessKey, Authorization",
  IP: "ip, ip_address, ipAddress, client_ip, IP-Adresse",
  MAC: "mac_address, macAddress",
};

const NOTHING = `name, product_name, item name, file_name, fileName, tool_name, event_name, task_name, list_name, project name, hostname, host_name, class_name, email_status, email_count, email_template,
  phone_model, phone_verified, ip_count, memory_address, wallet_address, contractAddress, next_page_token, max_tokens, id, order_id, item_ids, tracking_id, payment_method_id, status, price, description, created_at,
  last_contact_date, follow_up_by_date, product_interest, state, color, version, title, address_type, company_size, city_name, zip_file_name, brand, model, type, birthday_discount_enabled, password_reset_required, image_url, category_name`;

const split = (list: string) => list.split(",").map((key) => key.trim());

describe("classOfKey", () => {
  for (const [name, keys] of Object.entries(CLASSES))
    it.each(split(keys))(`reads %s as ${name}`, (key) => {
      expect(classOfKey(key)?.class).toBe(name);
    });

  it.each(split(NOTHING))("reads nothing from %s", (key) => {
    expect(classOfKey(key)).toBeUndefined();
  });

  it.each([
    ["name", ["users"], [], "NAME"],
    ["name", ["data", "customer"], [], "NAME"],
    ["name", ["results"], ["name", "email"], "NAME"],
    ["name", [], ["name", "phone", "address"], "NAME"],
    ["name", ["items"], ["name", "user_id"], "NAME"],
    ["name", ["company"], [], "COMPANY"],
    ["name", [], ["name", "industry", "website"], "COMPANY"],
    ["first", ["name"], ["first", "last"], "NAME"],
    ["line1", ["address"], ["line1", "city"], "ADDRESS"],
    ["city", ["address"], ["line1", "city"], "LOCATION"],
    ["work", ["phone"], [], "PHONE"],
    ["address", ["email"], ["address", "verified"], "EMAIL"],
    ["from", [], ["from", "subject"], "NAME"],
    ["address", ["customer"], [], "ADDRESS"],
  ])("reads %s under %j beside %j as %s", (key, above, beside, name) => {
    expect(classOfKey(key, above, beside)?.class).toBe(name);
  });

  it.each([
    ["name", ["products"], ["name", "price"]],
    ["name", ["items"], ["name", "product_id", "item_id", "price"]],
    ["name", ["tools"], ["name", "description", "inputSchema"]],
    ["name", ["files"], ["name", "size"]],
    ["name", ["options"], []],
    ["name", [], ["name", "sku"]],
    ["name", [], ["name", "version"]],
    ["address", ["pois"], ["address", "location", "typecode"]],
    ["address", ["hotels"], ["address", "rating"]],
    ["from", ["route"], ["from", "to", "distance"]],
    ["company", [], ["company", "ticker", "market_cap"]],
    ["common", ["name"], ["common", "official"]],
    ["status", ["email"], []],
  ])("reads nothing from %s under %j beside %j", (key, above, beside) => {
    expect(classOfKey(key, above, beside)).toBeUndefined();
  });

  it("is surer of a key that speaks for itself than of one that needs its surroundings", () => {
    const itself = classOfKey("customer_name")?.confidence ?? 0;
    const surroundings = classOfKey("name", ["users"])?.confidence ?? 1;
    expect(itself).toBeGreaterThan(0.9);
    expect(surroundings).toBeLessThan(itself);
    expect(surroundings).toBeGreaterThan(0.5);
  });
});
