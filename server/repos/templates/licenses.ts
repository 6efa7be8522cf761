import known from 'spdx-license-list'
import { notFound } from '@/server/kernel/errors'
import type { License, LicenseEntry } from './schema'

/** Lists all licenses on the SPDX list, each with its identifier. */
export function listLicenses(baseUrl: string): LicenseEntry[] {
  return Object.keys(known).map(key => entryOf(key, baseUrl))
}

/**
 * Gets a license and its text from the SPDX list, by its exact identifier.
 * @throws {DomainError} notFound.
 */
export async function getLicense(name: string, baseUrl: string): Promise<License> {
  const body = await textOf(name)
  if (body === undefined) throw notFound()
  return { ...entryOf(name, baseUrl), body, implementation }
}

/**
 * Returns the text of a license with the year and the copyright holder filled in; undefined for a license
 * that is not on the SPDX list.
 */
export async function licenseFor(
  name: string,
  { year, holder }: { year: number; holder: string },
): Promise<string | undefined> {
  const text = await textOf(name)
  if (text === undefined) return undefined
  // The appendix explains how to apply the license to other works, so it is left unchanged.
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
  'Create a file named LICENSE in the root of the repository and copy the text into it; ' +
  'fill in the year and the copyright holder where the text asks for them.'

// Imported only when needed: the texts are six million characters, and few processes use them.
async function textOf(name: string): Promise<string | undefined> {
  if (!Object.hasOwn(known, name)) return undefined
  const { default: texts } = await import('spdx-license-list/full.js')
  return texts[name]?.licenseText
}

const years = /[<[{](?:year|y{4})[>\]}]|\bYEAR\b/gi
const holders = /[<[{][^<>[\]{}]*(?:holder|owner|author|name)[^<>[\]{}]*[>\]}]|\bAUTHOR EMAIL\b/gi
// The SPDX list has one license with its first user's copyright lines, which are replaced.
const exampleHolders = /(?:^copyright .*\bInternet (?:Systems|Software) Consortium\b.*\n)+/im

function fillIn(line: string, year: string, holder: string): string {
  if (!/^\s*copyright\b/i.test(line)) return line
  return line
    .replace(years, () => year)
    .replace(holders, () => holder)
    .trimEnd()
}
