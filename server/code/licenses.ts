import type { ServiceCtx } from '@/server/kernel/ctx'
import { readObjects } from '@/server/kernel/git/objects'
import { findRevision } from '@/server/kernel/git/revision'
import type { RepoPath } from '@/server/repos/schema'
import { loadCode, withReading } from './context'
import { readDirectory } from './tree/entries'

// The names of licenses are at their beginning, and their characteristic phrases soon after it.
const maxBytes = 16 * 1024
const maxFiles = 10

const isLicense = /^(?:licen[cs]e|copying|unlicense)(?:[-._].{0,40})?$/i

/**
 * Returns the SPDX identifiers of the licenses in the root directory of the default branch, by their
 * characteristic phrases.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function listLicensesOf(ctx: ServiceCtx, path: RepoPath): Promise<string[]> {
  const code = await loadCode(ctx, path)
  if (code.repository.is_empty) return []
  return await withReading(ctx, async () => {
    const revision = await findRevision(code.git, code.repository.default_branch)
    const files = revision ? await findLicenseFiles(code.git, revision.commit) : []
    return [...new Set(files.flatMap(({ license }) => license ?? []))]
  })
}

/** A file with a license, and the SPDX identifier of that license; null if it is not one of the common ones. */
export interface LicenseFile {
  name: string
  license: string | null
}

/** Finds the files with licenses in the root directory of a commit, at most ten. */
export async function findLicenseFiles(git: string, commit: string): Promise<LicenseFile[]> {
  const folder = await readDirectory(git, commit, '')
  const files = folder?.entries.filter(({ type, name }) => type === 'blob' && isLicense.test(name)) ?? []
  const found = files.slice(0, maxFiles)
  const texts = await readObjects(
    git,
    found.map(({ id }) => id),
    maxBytes,
  )
  return found.map(({ name }, index) => ({
    name,
    license: licenseIn(texts[index]?.text.toString() ?? '') ?? null,
  }))
}

// The first one whose phrases are all in the text. Words are in lowercase and separated by single spaces.
const table: readonly (readonly [id: string, ...phrases: string[]])[] = [
  ['AGPL-3.0-only', 'gnu affero general public license version 3'],
  ['LGPL-3.0-only', 'gnu lesser general public license version 3'],
  ['LGPL-2.1-only', 'gnu lesser general public license version 2.1'],
  ['GPL-3.0-only', 'gnu general public license version 3'],
  ['GPL-2.0-only', 'gnu general public license version 2'],
  ['Apache-2.0', 'apache license version 2.0'],
  ['MPL-2.0', 'mozilla public license version 2.0'],
  ['EPL-2.0', 'eclipse public license - v 2.0'],
  ['EUPL-1.2', 'european union public licence v. 1.2'],
  ['CC0-1.0', 'cc0 1.0 universal'],
  ['CC-BY-SA-4.0', 'attribution-sharealike 4.0 international'],
  ['CC-BY-4.0', 'attribution 4.0 international'],
  ['OFL-1.1', 'sil open font license version 1.1'],
  ['Unlicense', 'this is free and unencumbered software released into the public domain'],
  ['BSL-1.0', 'boost software license - version 1.0'],
  ['Artistic-2.0', 'the artistic license 2.0'],
  ['WTFPL', 'do what the fuck you want to public license'],
  [
    'MIT-0',
    'permission is hereby granted, free of charge, to any person obtaining a copy',
    'mit no attribution',
  ],
  ['MIT', 'permission is hereby granted, free of charge, to any person obtaining a copy'],
  ['0BSD', 'permission to use, copy, modify, and/or distribute this software', 'zero-clause'],
  ['ISC', 'permission to use, copy, modify, and/or distribute this software'],
  ['BSD-3-Clause', 'redistribution and use in source and binary forms', 'neither the name of'],
  ['BSD-2-Clause', 'redistribution and use in source and binary forms'],
  ['Zlib', 'this software is provided "as-is", without any express or implied warranty', 'misrepresented'],
  ['PostgreSQL', 'permission to use, copy, modify, and distribute this software and its documentation'],
]

/** Returns the SPDX identifier of a license by its text; undefined if it is not one of the common ones. */
export function licenseIn(text: string): string | undefined {
  const words = text
    .toLowerCase()
    .replace(/[“”]/g, '"')
    .replace(/[,;](?= version)/g, '')
    .split(/\s+/)
    .join(' ')
    .replaceAll("'as-is'", '"as-is"')
  return table.find(([, ...phrases]) => phrases.every(phrase => words.includes(phrase)))?.[0]
}
