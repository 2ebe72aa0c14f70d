/** People, as keys call them: whose a `…_name` is, and what a list under such a key holds. */
export const PEOPLE_WORDS = `my, your, his, her, their, mein, ihr, mon, votre, mi, su, mio, customer, client, user, contact, person, people, employee, worker, patient, student, teacher, pupil, member, attendee, participant,
  passenger, guest, tenant, owner, author, assignee, reporter, reviewer, creator, manager, supervisor, driver, candidate, applicant, recipient, sender, receiver, subscriber,
  beneficiary, holder, buyer, payer, payee, spouse, husband, wife, child, father, mother, sibling, guardian, emergency contact, physician, doctor, nurse, donor, lawyer, attorney, signatory,
  borrower, insured, policyholder, resident, traveler, traveller, organizer, organiser, visitor, staff, personnel, human, individual, witness, colleague, coworker,
  representative, rep, sales rep, salesperson, account manager, advisor, consultant, shopper, consignee, consignor, requester, requestor, approver, invitee, inviter, follower, friend, relative,
  maintainer, contributor, committer, commenter, interviewer, interviewee, landlord, winner, voter, claimant, debtor, accountant, assigned to, assigned, payor, cc, bcc, addressee, submitter, caller, callee, registrant, poster, counterparty, remitter, originator, creditor, practitioner, general practitioner, clinician, surgeon, dentist, therapist, pharmacist, midwife, crew member, pilot, captain, lessee, lessor, heir, executor, notary, mentor, mentee, recruiter, hiring manager, referrer, nominee, cosigner, co signer, co borrower, insured person, primary insured, contact person, point of contact,
  saved passenger, primary contact, bill to, ship to, shipping, billing, family member, dependent, ceo, cfo, cto, founder, director name, administrator, instructor, tutor, trainer, coach, technician,
  kunde, kunden, benutzer, nutzer, mitarbeiter, ansprechpartner, kontakt, kontaktperson, schuler, schueler, mieter, vermieter, empfanger, empfaenger, absender, inhaber, besitzer, autor, teilnehmer, fahrer, bewerber, arzt, kaufer, kaeufer, bearbeiter, sachbearbeiter, angestellter, person, personen, eigentumer, auftraggeber,
  utilisateur, employe, salarie, destinataire, expediteur, titulaire, proprietaire, auteur, participant, medecin, locataire, acheteur, eleve, etudiant, responsable, interlocuteur, beneficiaire, demandeur, personne, personnes,
  cliente, usuario, empleado, contacto, destinatario, remitente, titular, propietario, paciente, alumno, estudiante, trabajador, pasajero, comprador, inquilino, medico, solicitante, persona, personas, huesped,
  utente, dipendente, contatto, mittente, intestatario, proprietario, paziente, autore, passeggero, acquirente, studente, richiedente, persone, referente,
  funcionario, contato, remetente, utilizador, passageiro, aluno, pessoa, pessoas, hospede, colaborador,
  klant, gebruiker, medewerker, werknemer, contactpersoon, ontvanger, afzender, eigenaar, patienten, deelnemer, huurder, personen,
  klient, uzytkownik, pracownik, odbiorca, nadawca, wlasciciel, pacjent, osoba, osoby, uczestnik, najemca, kontaktowa,
  musteri, kullanici, calisan, personel, alici, gonderen, hasta, sahip, sahibi, yolcu, ogrenci, kisi, yetkili,
  клиент, клиента, пользователь, пользователя, сотрудник, сотрудника, контакт, контактное лицо, получатель, получателя, отправитель, отправителя, владелец, пациент, пациента, заказчик, покупатель, пассажир, студент, автор, исполнитель,
  客户, 客戶, 用户, 用戶, 员工, 员工姓名, 联系人, 聯絡人, 收件人, 收货人, 寄件人, 发件人, 患者, 病人, 学生, 会员, 乘客, 作者, 负责人, 经办人, 申请人, 顧客, お客様, 社員, 従業員, 担当者, 担当, 連絡先, 受取人, 会員, 宛名, 送信者, 受信者, 著者, 利用者,
  고객, 사용자, 직원, 담당자, 수신자, 발신자, 환자, العميل, عميل, المستخدم, مستخدم, الموظف, موظف, المريض, مريض, المرسل, المستلم, المالك, الطالب, جهة الاتصال`;

/** Companies, as keys call them, when a name or a list follows. */
export const COMPANY_WORDS = `company, companies, organization, organisation, org, employer, business, corporation, firm, supplier, vendor, merchant, agency, subsidiary, insurer, bank, associated company, parent company, holding, contractor company,
  firma, firmen, unternehmens, unternehmen, lieferant, lieferanten, arbeitgeber, societe, entreprise, fournisseur, employeur, empresa, proveedor, azienda, fornitore, fornecedor, bedrijf, bedrijfs, leverancier,
  firmy, dostawca, sirket, tedarikci, компании, организации, поставщик, поставщика, 公司, 企业, 供应商, 会社, 企業, 取引先, 仕入先, 회사, الشركة, المورد`;

/** Things, as keys call them: what has a name and is nobody. */
export const THING_WORDS = `product, item, file, filename, folder, directory, dir, tool, function, method, class, type, category, tag, label, option, column, field, table, database, schema, index, key, variable, var, parameter, param, argument, arg, property, prop, attribute, attr,
  module, package, library, repo, repository, branch, commit, project, task, list, board, event, meeting, calendar, channel, team, group, role, permission, plan, tier, feature, flag, model, dataset, metric, dimension, measure, report, dashboard, chart, query, view, template, theme,
  host, hostname, server, service, domain, dns, node, cluster, pod, container, image, namespace, resource, bucket, queue, topic, stream, job, step, stage, pipeline, workflow, action, trigger, rule, policy, queries, device, sensor, app, application, program, plugin, extension, addon, skill, prompt, agent,
  book, movie, film, song, album, track, playlist, video, photo, game, genre, course, lesson, chapter, section, page, document, doc, form, sheet, spreadsheet, slide, note, notebook, article, post, recipe, ingredient, dish, menu, restaurant, hotel, airline, airport, flight, route, station, stop,
  city, country, state, region, county, province, district, continent, place, location, area, zone, territory, venue, landmark, poi, pois, park, street, store, shop, outlet, warehouse, branch office, facility,
  brand, sku, variant, color, colour, size, style, material, currency, coin, symbol, ticker, stock, fund, index, exchange, asset, account type, payment method, discount, coupon, promotion, campaign, segment, source, medium, platform, browser, os, language, locale, timezone, unit, format, protocol, port, license,
  species, animal, breed, plant, disease, drug, medication, medicine, gene, protein, chemical, element, planet, star, sport, league, tournament, season, character, weapon, champion, parent, sub, entity, object, component, layer, shape, icon, font, symptom, test, suite, check, status, priority, issue, bug, ticket, release, version, build, environment, env, secret name, certificate, cert, header, cookie name, event type, space, workspace, site, url, link, button, widget, screen, tab, window, cell, row, worksheet, range,
  producto, produit, produkt, prodotto, produto, urun, artikel, article, articulo, datei, fichier, archivo, товар, продукт, файл, 产品, 商品, 文件, 製品, ファイル, المنتج, ملف`;

/** Lists of anything: they say nothing of what they hold. */
export const ANYTHING_WORDS = `data, result, results, rows, records, entries, values, response, payload, body, list, nodes, edges, node, items, hits, objects, content, output, page, elements, documents, docs, children, members list, value, array, collection, set`;
