import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import type { DiffFile, DiffLine } from '@/server/code/diff/schema'
import { DiffView } from './diff-view'

// The UI kit imports style sheets, which Node cannot load.
vi.mock('@/app/_components/primer', () => ({ Button: 'button' }))
vi.mock('@/app/_lib/server', () => ({
  keepText: (html: string) => (html.includes('too much') ? undefined : html),
}))
vi.mock('../page-text', () => ({
  PageText: ({ textKey }: { textKey: string }) =>
    // biome-ignore lint/security/noDangerouslySetInnerHtml: as in the component
    createElement('div', { dangerouslySetInnerHTML: { __html: textKey } }),
}))

const file = (path: string, changes: Partial<DiffFile> = {}): DiffFile => ({
  path,
  status: 'modified',
  oldMode: '100644',
  newMode: '100644',
  isBinary: false,
  isSubmodule: false,
  isGenerated: false,
  additions: 1,
  deletions: 1,
  hunks: [],
  isCut: false,
  ...changes,
})

const lines: DiffLine[] = [
  { kind: '-', text: 'size = <b>', oldNumber: 11, mark: [7, 10] },
  { kind: '+', text: 'size = \u202e2', newNumber: 12, mark: [7, 9], noNewline: true },
]

const render = (files: DiffFile[], view: 'unified' | 'split' = 'unified') =>
  renderToStaticMarkup(
    createElement(DiffView, {
      diff: { files, additions: 1, deletions: 2, filesChanged: files.length, isTruncated: false },
      view,
      links: { file: ({ path }) => `/src/${path}`, alone: ({ path }) => `?file=${path}` },
    }),
  )

describe('DiffView', () => {
  const hunks = [{ header: 'main()', oldStart: 11, newStart: 12, lines }]

  it('has anchors of Gitea for files and lines, which are also links', () => {
    const html = render([file('README.md', { hunks })])
    // The SHA-1 of the path.
    const anchor = 'diff-8ec9a00bfd09b3190ac6b22251dbb1aa95a0579d'
    for (const id of [anchor, `${anchor}L11`, `${anchor}R12`]) expect(html).toContain(`id="${id}"`)
    expect(html).toContain(`href="#${anchor}R12"`)
  })

  it('shows text of a file as text, and writes out what changes how it reads', () => {
    const html = render([file('<u>', { hunks })], 'split')
    expect(html).toContain('&lt;b&gt;')
    expect(html).toContain('\\u202e2')
    expect(html).not.toMatch(/<b>|<u>|\u202e/)
    expect(html).toContain('No newline at end of file')
  })

  it('links to a file that has no room on the page', () => {
    const html = render([file('a', { hunks: [{ header: 'too much', oldStart: 1, newStart: 1, lines }] })])
    expect(html).toContain('This change is large and is not shown.')
    expect(html).toContain('href="?file=a"')
  })

  it('says why a file has no lines, and links to a large one', () => {
    const html = render([
      file('a', { isCut: true }),
      file('b', { isBinary: true }),
      file('c', { oldPath: 'd', status: 'renamed', additions: 0, deletions: 0 }),
      file('e', { newMode: '100755' }),
    ])
    expect(html).toContain('href="?file=a"')
    for (const words of ['Binary file', 'renamed without changes', 'Only the mode', 'executable file']) {
      expect(html).toContain(words)
    }
    expect(html).toContain('4 files changed')
    expect(html).toContain('1 addition</span> and <span')
  })
})
