import { expect, it } from 'vitest'
import { openApiDocument } from './openapi'
import { outlineOf, partOf } from './openapi-parts'

const document = openApiDocument()
const idsOf = (paths: object = {}): string[] =>
  Object.values(paths).flatMap(methods =>
    Object.values(methods as object).map(({ operationId }) => operationId),
  )

it('the outline names every call of the document, in a fraction of its size', () => {
  const outline = outlineOf(document)
  expect(idsOf(outline.paths)).toEqual(idsOf(document.paths))
  expect(JSON.stringify(outline).length).toBeLessThan(JSON.stringify(document).length / 5)
})

it('the part of each call is the call as documented, with every schema that it names and no other call', () => {
  const ids = idsOf(document.paths)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) {
    const part = partOf(document, id)
    expect(idsOf(part?.paths)).toEqual([id])
    const text = JSON.stringify(part)
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(part?.components?.schemas?.[name], `${name} of ${id}`).toEqual(
        document.components?.schemas?.[name],
      )
  }
  expect(partOf(document, 'none')).toBeUndefined()
})
