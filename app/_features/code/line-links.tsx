'use client'
import dynamic from 'next/dynamic'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { isShortcut } from '@/app/_lib/shortcut'

const GoToLineDialog = dynamic(async () => (await import('./go-to-line-dialog')).GoToLineDialog)

interface LineLinksProps {
  /** Path of the page at the commit that is shown. */
  permanent: string
  /** Number of lines of the file. */
  lines: number
}

const form = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/
// Width of the line numbers, which are drawn inside of the lines.
const gutter = 64

/**
 * Button that goes to a line; so does the key L. Marks the lines that the URL names, such as `#L10-L20`. A click on a
 * line number selects the line, with Shift as the end of a range, and the key Y replaces the URL with the permanent one.
 */
export function LineLinks({ permanent, lines }: LineLinksProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    let anchor = 0
    const mark = (scrolls: boolean): void => {
      for (const line of document.querySelectorAll('i[data-on]')) line.removeAttribute('data-on')
      const [, first = '', last = first] = form.exec(location.hash) ?? []
      if (first === '') return
      const [from, to] = [Number(first), Number(last)].sort((a, b) => a - b) as [number, number]
      anchor = from
      for (let number = from; number <= to; number++) {
        const line = document.getElementById(`L${number}`)
        if (!line) break
        line.setAttribute('data-on', '')
        if (number === from && scrolls) line.scrollIntoView({ block: 'center' })
      }
    }
    const onHash = (): void => mark(true)
    const onClick = (event: MouseEvent): void => {
      const line = event.target instanceof Element ? event.target.closest('i[id^=L]') : null
      if (!line || event.clientX - line.getBoundingClientRect().left > gutter) return
      const number = Number(line.id.slice(1))
      const hash = event.shiftKey && anchor > 0 && anchor !== number ? rangeOf(anchor, number) : `#L${number}`
      history.replaceState(history.state, '', hash)
      mark(false)
    }
    const onKey = (event: KeyboardEvent): void => {
      if ((event.key !== 'y' && event.key !== 'l') || !isShortcut(event)) return
      event.preventDefault()
      if (event.key === 'l') setOpen(true)
      else history.replaceState(history.state, '', permanent + location.hash)
    }
    mark(location.hash !== '')
    window.addEventListener('hashchange', onHash)
    document.addEventListener('click', onClick)
    document.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('hashchange', onHash)
      document.removeEventListener('click', onClick)
      document.removeEventListener('keydown', onKey)
    }
  }, [permanent])
  const go = (from: number, to: number): void => {
    history.replaceState(history.state, '', from === to ? `#L${from}` : rangeOf(from, to))
    // The browser sends none for this.
    window.dispatchEvent(new HashChangeEvent('hashchange'))
  }
  return (
    <>
      <Button size="small" variant="invisible" onClick={() => setOpen(true)} aria-keyshortcuts="l">
        Go to line
      </Button>
      {isOpen ? <GoToLineDialog lines={lines} onGo={go} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const rangeOf = (a: number, b: number): string => `#L${Math.min(a, b)}-L${Math.max(a, b)}`
