import { describe, expect, it } from 'vitest'
import { badgeSvg } from './badge-svg'

const widthOf = (svg: string): number => Number(/width="(\d+)"/.exec(svg)?.[1])

describe('A badge', () => {
  it('is an image with a title, and says the state in words', () => {
    const svg = badgeSvg({ name: 'CI', state: 'passing' })
    expect(svg).toContain('role="img"')
    expect(svg).toContain('<title id="t">CI: passing</title>')
    expect(svg).toMatch(/>passing<\/text>/)
  })

  it('contains nothing of a name but its text', () => {
    const svg = badgeSvg({ name: '</text><script>&\u202e\u0007"\'', state: 'failing' })
    expect(svg).not.toMatch(/<script|[\p{Cc}\p{Cf}]/u)
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;&amp;')
  })

  it('shortens a long name, and grows with its text', () => {
    expect(badgeSvg({ name: 'a'.repeat(255), state: 'passing' })).toContain(`${'a'.repeat(59)}…: passing`)
    const [short, long] = ['CI', 'Integration'].map(name => widthOf(badgeSvg({ name, state: 'no status' })))
    expect(long).toBeGreaterThan(short ?? 0)
  })
})
