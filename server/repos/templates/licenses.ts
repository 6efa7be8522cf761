import known from 'spdx-license-list'
import { notFound } from '@/server/kernel/errors'
import type { License, LicenseEntry } from './schema'

/** Every license on the SPDX list, by its identifier. */
export function listLicenses(baseUrl: string): LicenseEntry[] {
  return Object.keys(known).map(key => entryOf(key, baseUrl))
}

/**
 * Gets a license with its text on the SPDX list, by its exact identifier.
 * @throws {DomainError} notFound.
 */
export async function getLicense(name: string, baseUrl: string): Promise<License> {
  const body = await textOf(name)
  if (body === undefined) throw notFound()
  return { ...entryOf(name, baseUrl), body, implementation }
}

/** The text that grants a license, with year and holder filled in; undefined for one that is not on the list. */
export async function licenseFor(
  name: string,
  { year, holder }: { year: number; holder: string },
): Promise<string | undefined> {
  const text = await textOf(name)
  if (text === undefined) return undefined
  // What follows tells how to use the license elsewhere, and is part of its text.
  const end = text.search(/^.*(appendix|how to apply)/im)
  const [terms, appendix] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)]
  const filled = terms
    .replace(exampleHolders, 'Copyright (c) <year> <owner>\n')
    .split('\n')
    .map(line => fillIn(line, String(year), holder))
  return `${(filled.join('\n') + appendix).trimEnd()}\n`
}

const entryOf = (key: string, baseUrl: string): LicenseEntry => ({
  key,
  name: key,
  url: `${baseUrl}/api/v1/licenses/${encodeURIComponent(key)}`,
})

const implementation =
  'Put a file named LICENSE into the root of the repository and copy the text into it; ' +
  'fill in the year and the holder of the copyright where the text asks for them.'

// Six million letters, which few processes are ever asked for.
async function textOf(name: string): Promise<string | undefined> {
  if (!Object.hasOwn(known, name)) return undefined
  const { default: texts } = await import('spdx-license-list/full.js')
  return texts[name]?.licenseText
}

const years = /[<[{](?:year|y{4})[>\]}]|\bYEAR\b/gi
const holders = /[<[{][^<>[\]{}]*(?:holder|owner|author|name)[^<>[\]{}]*[>\]}]|\bAUTHOR EMAIL\b/gi
// The list gives one license as its first user had it.
const exampleHolders = /(?:^copyright .*\bInternet (?:Systems|Software) Consortium\b.*\n)+/im

function fillIn(line: string, year: string, holder: string): string {
  if (!/^\s*copyright\b/i.test(line)) return line
  return line
    .replace(years, () => year)
    .replace(holders, () => holder)
    .trimEnd()
}
