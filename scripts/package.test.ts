import { expect, it } from 'vitest'
import { dependencies } from '../package.json'

it('what building the pages asks for is installed in production too', () => {
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining(['@types/node', '@types/react', 'esbuild', 'typescript']),
  )
})
