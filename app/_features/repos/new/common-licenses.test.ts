import known from 'spdx-license-list'
import { expect, it } from 'vitest'
import { commonLicenses } from './common-licenses'

it('commonLicenses contains only licenses of the SPDX License List, with their official names', () => {
  for (const [key, name] of Object.entries(commonLicenses)) expect(known[key]?.name).toBe(name)
})
