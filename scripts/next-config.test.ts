import { expect, it } from 'vitest'
import config from '../next.config.mjs'

it('next.config.mjs disables image optimization, so that clients cannot make the server resize images', () => {
  expect(config.images).toEqual({ unoptimized: true })
})
