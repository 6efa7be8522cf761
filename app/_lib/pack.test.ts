import { expect, it } from 'vitest'
import { pack, unpack } from './pack'

it('data for the page is unpacked as it was packed', () => {
  const answers = [
    null,
    'text',
    [],
    [1, [2, { a: 1 }]],
    {
      items: [
        { id: 1, tags: [{ name: 'a' }, { name: 'b' }] },
        { id: 2, tags: [] },
      ],
      total: 2,
    },
    { items: [{ id: 1, note: 'x' }, { id: 2 }, { id: 3, note: null }] },
  ]
  for (const answer of answers) expect(unpack(pack(answer))).toEqual(answer)
})

it('data for the page names the properties of a list once', () => {
  const items = Array.from({ length: 30 }, (_, id) => ({ id, fingerprint: `SHA256:${id}` }))
  expect(JSON.stringify(pack({ items })).match(/fingerprint/g)).toHaveLength(1)
})
