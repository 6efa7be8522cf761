import { expect, it } from 'vitest'
import { getLicense, licenseFor } from './licenses'

const grant = { year: 2026, holder: 'Ada Byron' }

it.each([
  ['MIT', 'Copyright (c) 2026 Ada Byron\n'],
  ['MIT-0', 'Copyright 2026 Ada Byron\n'],
  ['ISC', 'ISC License:\n\nCopyright (c) 2026 Ada Byron\n\nPermission'],
  ['0BSD', 'Copyright (C) 2026 by Ada Byron\n'],
  ['BSD-3-Clause', 'Copyright (c) 2026 Ada Byron.\n\n'],
  ['BSD-4-Clause', 'Copyright (c) 2026 Ada Byron. All rights reserved.\n'],
  ['UPL-1.0', 'Copyright (c) 2026 Ada Byron'],
  ['NCSA', 'Copyright (c) 2026 Ada Byron. All rights reserved.\n'],
])('the year and the copyright holder are filled into the text of %s', async (name, line) => {
  expect(await licenseFor(name, grant)).toContain(line)
})

it.each([
  'Apache-2.0',
  'GPL-2.0-only',
  'GPL-3.0-or-later',
  'AGPL-3.0-only',
  'LGPL-2.1-only',
  'MPL-2.0',
  'Unlicense',
])('the text of %s is returned unchanged, including instructions on how to apply the license', async name => {
  const { body } = await getLicense(name, '')
  expect((await licenseFor(name, grant))?.trim()).toBe(body.trim())
})

it('licenseFor returns undefined for a license that is not on the SPDX list', async () => {
  expect(await licenseFor('toString', grant)).toBeUndefined()
})
