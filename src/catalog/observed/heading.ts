/**
 * The words of which a column's heading is made: "Order ID", "Customer Name", "Start Date". A key with spaces is a field's
 * name only if each of its words is one of these; of the names, titles and sentences that people write none is.
 */
const WORDS = `
id ids no number code key ref reference type kind class group category status state stage level priority rank score rating grade
name names first last middle full display user customer client contact company account owner assignee author member employee team department
email mail phone mobile fax address street city state region country zip postal postcode website url link
title subject description summary note notes comment comments message body text label tag tags keyword keywords topic content
date time datetime day week month year quarter hour start end begin finish due created updated modified deleted closed opened sent
received ordered shipped delivered paid published last next previous current total sub subtotal sum count quantity qty amount price
cost value rate tax fee discount balance budget revenue sales profit margin currency unit units average avg mean median min max
minimum maximum percent percentage change growth share volume size weight height width length area distance duration speed
temperature order item items product sku invoice payment method transaction project task issue ticket event meeting lead deal
file folder path page row column index line version source target from to of per in by is has
`;
const words = new Set(WORDS.split(/\s+/).filter(Boolean));
const MAX_WORDS = 4;

export function isHeading(key: string): boolean {
  // Capitals in odd places could spell something.
  if (!/^(?:[A-Z]?[a-z]+|[A-Z]+)(?: (?:[A-Z]?[a-z]+|[A-Z]+))+$/.test(key)) return false;
  const parts = key.toLowerCase().split(" ");
  return parts.length <= MAX_WORDS && parts.every((part) => words.has(part));
}
