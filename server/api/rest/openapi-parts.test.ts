import { expect, it } from 'vitest'
import { openApiDocument } from './openapi'
import { outlineOf, partOf } from './openapi-parts'

const document = await openApiDocument()
const idsOf = (paths: object = {}): string[] =>
  Object.values(paths).flatMap(methods =>
    Object.values(methods as object).map(({ operationId }) => operationId),
  )

it('the outline of the OpenAPI document lists every operation in a fraction of the document’s size', () => {
  const outline = outlineOf(document)
  expect(idsOf(outline.paths)).toEqual(idsOf(document.paths))
  expect(JSON.stringify(outline).length).toBeLessThan(JSON.stringify(document).length / 5)
})

it('the part of one operation contains it as documented, with exactly the schemas that it references', () => {
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
