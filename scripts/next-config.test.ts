import { expect, it } from 'vitest'
import config from '../next.config.mjs'

it('nobody can have pictures resized', () => {
  expect(config.images).toEqual({ unoptimized: true })
})
