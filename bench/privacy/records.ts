/** As a tracker of work has them: nothing of it is anybody's. */
export function plainRecord(index: number): { readonly [key: string]: string } {
  return {
    id: `b3f1c9d2-77aa-4c1e-9f00-${String(index).padStart(12, "0")}`,
    status: index % 3 === 0 ? "open" : "in progress",
    title: `Improve the loading time of the overview page for large projects`,
    created_at: `2026-02-${10 + (index % 19)}T08:${10 + (index % 50)}:00Z`,
    url: `https://tracker.example.com/projects/47/issues/${index}`,
    description: `The page reads all ${index} entries before it shows the first one. It should show the first twenty and read on in the background; see also the notes of the last meeting.`,
    priority: "medium",
    labels: "performance, front end, good first issue",
    sku: `KX-${1_000_000 + index}`,
    version: `2.${index % 40}.${index % 7}`,
    sha: (index * 2_654_435_761).toString(16).padStart(40, "9f86d081884c7d65"),
  };
}

export function personRecord(index: number): { readonly [key: string]: string } {
  const digits = String(1_000_000 + ((index * 7_919) % 8_999_999));
  return {
    ...plainRecord(index),
    email: `person.${index}@mail.example.org`,
    phone: `+1 415 ${digits.slice(0, 3)} ${digits.slice(3)}`,
    note: `Asked to be called back at (628) ${digits.slice(0, 3)}-${digits.slice(3)} or to be written to at p${index}@example.net`,
    last_ip: `81.2.${index % 250}.${(index * 7) % 250}`,
  };
}
