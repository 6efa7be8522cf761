import { expect, test } from 'vitest'
import { summaryOf } from './summary'
import type { Upload, UploadState } from './upload'

const upload = (state: UploadState, sent = 0): Upload => ({
  key: state,
  name: 'a.zip',
  size: 100,
  sent,
  state,
  problem: undefined,
  bytesPerSecond: undefined,
})

test('each file is announced as what it is, and how far those are that move, in quarters', () => {
  expect(summaryOf([upload('sending', 60)], true)).toBe('1 file is on the way, 50 percent sent.')
  expect(summaryOf([upload('sending', 100), upload('waiting')], true)).toBe(
    '2 files are on the way, 50 percent sent.',
  )
  expect(summaryOf([upload('asking')], true)).toBe('1 file needs an answer.')
  expect(summaryOf([upload('paused', 10), upload('paused', 20)], true)).toBe('2 files are paused.')
  expect(summaryOf([upload('away', 50)], true)).toBe('1 file waits for the site.')
  expect(summaryOf([upload('waiting')], false)).toBe('1 file waits for a tag.')
  expect(summaryOf([upload('sending'), upload('asking'), upload('asking')], true)).toBe(
    '2 files need an answer. 1 file is on the way, 0 percent sent.',
  )
})

test('nothing is announced of what tells its trouble by itself', () => {
  expect(summaryOf([upload('refused'), upload('failed'), upload('interrupted', 50)], true)).toBe('')
})
