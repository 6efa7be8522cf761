import { expect, it } from 'vitest'
import { attachmentName, newAttachmentName } from './name'

it.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
  'a name has no %j, which would let its ending be read as another one',
  mark => {
    const name = `photo${mark}gnp.exe`
    expect(() => attachmentName(name)).toThrow('control characters')
    expect(() => newAttachmentName(name)).toThrow('control characters')
  },
)

it.each(['קובץ.zip', 'ملف‏.zip'])('a name may be written from right to left: %j', name => {
  expect(attachmentName(name)).toBe(name)
})
