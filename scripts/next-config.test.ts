import { expect, it } from 'vitest'
import config from '../next.config.mjs'

it('next.config.mjs disables image optimization, so that clients cannot make the server resize images', () => {
  expect(config.images).toEqual({ unoptimized: true })
})

it('next.config.mjs lets Next compress responses unless our own server does', () => {
  expect(config.compress).toBe(true)
})
