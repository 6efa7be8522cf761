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
    [
      { id: 1, is_private: true, tags: [] },
      { id: 1, is_private: true, tags: [] },
    ],
  ]
  for (const answer of answers) expect(unpack(pack(answer))).toEqual(answer)
})

it('data for the page says once what the objects of a list share', () => {
  const items = Array.from({ length: 30 }, (_, id) => ({ id, fingerprint: `SHA256:${id}`, kind: 'deploy' }))
  const text = JSON.stringify(pack({ items }))
  expect(text.match(/fingerprint/g)).toHaveLength(1)
  expect(text.match(/deploy/g)).toHaveLength(1)
})
