import known from 'spdx-license-list'
import { expect, it } from 'vitest'
import { commonLicenses } from './common-licenses'

it('every license the form offers is on the list, by the name it has there', () => {
  for (const [key, name] of Object.entries(commonLicenses)) expect(known[key]?.name).toBe(name)
})
