import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openApiDocument } from './openapi'

// Generated clients name their methods by operationId, so a new endpoint adds a line, but existing lines
// never change.
const file = 'testing/operation-ids.txt'

it(`the operationIds of the OpenAPI document are those of ${file}`, async () => {
  const { paths = {} } = await openApiDocument()
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(
      ([method, operation]) =>
        `${(operation as { operationId: string }).operationId} ${method.toUpperCase()} ${path}`,
    ),
  )
  const known = await readFile(join(process.cwd(), file), 'utf8')
  expect(lines.sort()).toEqual(known.trimEnd().split('\n').sort())
})
