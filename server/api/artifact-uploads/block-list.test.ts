import { expect, it } from 'vitest'
import { parseBlockList } from './block-list'

const [a, b] = ['YQ==', 'YmI=']

it('parseBlockList returns the blocks in order, with their sources', () => {
  const xml = `\uFEFF<?xml version="1.0" encoding="utf-8"?>
    <BlockList>
      <Latest>${a}</Latest><Committed> ${b} </Committed>
      <Uncommitted>${a}</Uncommitted >
    </BlockList>\n`
  expect(parseBlockList(xml, 3)).toEqual([
    { from: 'latest', name: a },
    { from: 'committed', name: b },
    { from: 'uncommitted', name: a },
  ])
})

it('parseBlockList accepts an empty list in both forms of XML', () => {
  for (const xml of ['<BlockList/>', '<BlockList />', '<?xml version="1.0"?><BlockList></BlockList>'])
    expect(parseBlockList(xml, 3)).toEqual([])
})

it.each([
  ['nothing', ''],
  ['another root', '<List/>'],
  ['an attribute', '<BlockList a="b"/>'],
  ['a document type', `<!DOCTYPE x><BlockList/>`],
  ['an entity', '<BlockList><Latest>&a;</Latest></BlockList>'],
  ['an empty id', '<BlockList><Latest></Latest></BlockList>'],
  ['an id of more than 64 bytes', `<BlockList><Latest>${'YWFh'.repeat(22)}</Latest></BlockList>`],
  ['an id that is not base64', '<BlockList><Latest>abc</Latest></BlockList>'],
  ['another element', '<BlockList><First>YQ==</First></BlockList>'],
  ['mixed elements', '<BlockList><Latest>YQ==</Committed></BlockList>'],
  ['text', '<BlockList>YQ==</BlockList>'],
  ['a comment', '<BlockList><!-- --></BlockList>'],
  ['an open end', '<BlockList><Latest>YQ==</Latest>'],
  ['a second root', '<BlockList/><BlockList/>'],
])('parseBlockList refuses a list with %s', (_, xml) => {
  expect(() => parseBlockList(xml, 3)).toThrow(expect.objectContaining({ code: 'InvalidXmlDocument' }))
})

it.each([
  ['before an id', `<BlockList><Latest>${' '.repeat(1_000_000)}`],
  ['after an id', `<BlockList><Latest>YQ==${' '.repeat(1_000_000)}`],
  ['after an element', `<BlockList><Latest>YQ==</Latest${' '.repeat(1_000_000)}`],
  ['in the root', `<BlockList${' '.repeat(1_000_000)}`],
])('parseBlockList quickly refuses endless white space %s', (_, xml) => {
  const began = performance.now()
  expect(() => parseBlockList(xml, 3)).toThrow(expect.objectContaining({ code: 'InvalidXmlDocument' }))
  expect(performance.now() - began).toBeLessThan(1000)
})

it('parseBlockList refuses a list with too many blocks', () => {
  const xml = `<BlockList>${`<Latest>${a}</Latest>`.repeat(4)}</BlockList>`
  expect(() => parseBlockList(xml, 3)).toThrow(expect.objectContaining({ code: 'InvalidBlockList' }))
})
