/** Names of anybody or anything. */
export const GENERIC_NAMES =
  "name, names, nom, noms, nombre, nome, naam, navn, isim, nazwa, имена, 名称, الاسم, اسم, display name, displayname, label name, namen, nimi, namn, cn, sn, common name, display, display value, nm";

/** Addresses of any kind. */
export const GENERIC_ADDRESSES =
  "address, addresses, addr, adresse, adressen, adresses, direccion, direcciones, indirizzo, indirizzi, endereco, adres, adresi, адрес, адреса, 地址, アドレス, العنوان, عنوان, adresa";

/** What makes an address one of machines. */
export const NOT_STREETS =
  "ip, ipv, mac, web, website, url, memory, mem, wallet, contract, bitcoin, btc, eth, ethereum, crypto, hex, base, start, end, bus, register, token, bind, listen, network, gateway, subnet, broadcast, peer, server, host, http, https, virtual, pointer, offset, stack, heap, program, deposit, withdrawal, blockchain, smart, return, entry, dns, proxy";

/** Identifiers. */
export const ID_WORDS =
  "id, ids, uid, uuid, identifier, handle, key, ref, code, account, number, kennung, nummer, identificador, идентификатор, 编号";

/** Where a mail comes from and goes to. */
export const MAIL_ENDS =
  "from, to, reply to, von, an, de, para, da, a, van, aan, od, do, kime, kimden, от, кому, 发件, 差出人, 宛先, من, إلى, à, from name, to name";

/** What somebody did: `created_by`. */
export const ROLE_HEADS =
  "created, updated, modified, assigned, reported, requested, approved, owned, submitted, sent, posted, uploaded, edited, reviewed, managed, signed, authored, invited, deleted, closed, opened, merged, completed, issued, prepared, written, booked, ordered, paid, contacted, addressed, delegated, reports";
