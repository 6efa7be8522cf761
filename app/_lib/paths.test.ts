import { expect, it } from 'vitest'
import { archivePath, idIn, releasePath, safeNext } from './paths'

it.each(['/', '/user/settings/keys', '/user/settings/keys?add=1#form', '/ada/%2e%2e%2fkeys', '/a//b'])(
  '%j is kept, as a path of this site',
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
])('%j leads to the start, not to another site', hostile => {
  expect(safeNext(hostile)).toBe('/')
})

it.each([undefined, '', '0', '-7', '7.5', '1e3', 'x', '\0', '1'.repeat(16)])('%j is no id', word => {
  expect(idIn(word)).toBeUndefined()
})

it('an id is read from its digits', () => {
  expect(idIn('4711')).toBe(4711)
})

it('the slashes of a tag are those of a path, and the rest of it is encoded', () => {
  const repository = { full_name: 'ada/engine' }
  expect(releasePath(repository, 'release/1.0 #2')).toBe('/ada/engine/releases/tag/release/1.0%20%232')
  expect(archivePath(repository, 'release/1.0 #2', 'zip')).toBe('/ada/engine/archive/release/1.0%20%232.zip')
})
