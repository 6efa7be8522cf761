import { expect, it } from 'vitest'
import { announcedType, fileNameOf, isZip } from './content-type'

it.each([
  [undefined, 'application/zip'],
  ['', 'application/zip'],
  ['nonsense', 'application/zip'],
  ['text/', 'application/zip'],
  ['Text/HTML; charset=latin1', 'text/html'],
  [' application/problem+json ', 'application/problem+json'],
  ['application/x-zip-compressed', 'application/zip'],
  ['text/plain\r\nSet-Cookie: a', 'application/zip'],
])('an artifact announced as %j is stored as %s', (announced, stored) => {
  expect(announcedType(announced)).toBe(stored)
  expect(isZip({ content_type: stored })).toBe(stored === 'application/zip')
})

it.each([
  ['dist', 'application/zip', 'dist.zip'],
  ['dist.ZIP', 'application/zip', 'dist.ZIP'],
  ['report.html', 'text/html', 'report.html'],
  ['..', 'application/zip', 'artifact.zip'],
  ['.', 'text/plain', 'artifact'],
])('an artifact named %j of type %s is saved as %j', (name, content_type, saved) => {
  expect(fileNameOf({ name, content_type })).toBe(saved)
})
