import { expect, it } from 'vitest'
import { archivePath, idIn, releasePath, safeNext } from './paths'

it.each(['/', '/user/settings/keys', '/user/settings/keys?add=1#form', '/ada/%2e%2e%2fkeys', '/a//b'])(
  'safeNext keeps %j, a path on this site',
  path => {
    expect(safeNext(path)).toBe(path)
  },
)

it.each([
  '',
  'evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/./\\evil.example',
  '/%2e//evil.example',
  '/%2E%2e/\\evil.example',
  '/x/..//evil.example',
  '/.\t//evil.example',
  '///evil.example',
])('safeNext replaces %j, which could lead to another site, with the home page', hostile => {
  expect(safeNext(hostile)).toBe('/')
})

it.each([undefined, '', '0', '-7', '7.5', '1e3', 'x', '\0', '1'.repeat(16)])(
  'idIn returns undefined for %j',
  word => {
    expect(idIn(word)).toBeUndefined()
  },
)

it('idIn reads an ID from its digits', () => {
  expect(idIn('4711')).toBe(4711)
})

it('releasePath and archivePath keep the slashes of a tag and encode its other characters', () => {
  const repository = { full_name: 'ada/engine' }
  expect(releasePath(repository, 'release/1.0 #2')).toBe('/ada/engine/releases/tag/release/1.0%20%232')
  expect(archivePath(repository, 'release/1.0 #2', 'zip')).toBe('/ada/engine/archive/release/1.0%20%232.zip')
})
