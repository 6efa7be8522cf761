import { expect, it } from 'vitest'
import { splitMessage } from './branch-tip'

it.each([
  ['', '', ''],
  ['Fix\n', 'Fix', ''],
  ['Fix\n\nBecause.\nReally.\n', 'Fix', 'Because.\nReally.'],
  ['a'.repeat(300), 'a'.repeat(300), ''],
  [`${'a'.repeat(298)}bcd\n\nMore.\n`, `${'a'.repeat(298)}b…`, '…cd\n\nMore.'],
  [`${'a'.repeat(298)}\u{1f600}b`, `${'a'.repeat(298)}…`, '…\u{1f600}b'],
])(
  'a message is split into its first line and the rest, and nothing of it is lost: %j',
  (message, summary, rest) => {
    expect(splitMessage(message)).toEqual({ summary, rest })
  },
)
