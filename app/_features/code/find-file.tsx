'use client'
import dynamic from 'next/dynamic'
import { type ReactNode, useEffect, useState } from 'react'
import { SearchIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import { isShortcut } from '@/app/_lib/shortcut'
import type { FindFileProps } from './find-file-dialog'

const FindFileDialog = dynamic(async () => (await import('./find-file-dialog')).FindFileDialog)

/** Button that opens the search for a file by its name; so does the key T. */
export function FindFile(props: FindFileProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key !== 't' || !isShortcut(event)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])
  return (
    <>
      <Button leadingVisual={SearchIcon} onClick={() => setOpen(true)} aria-keyshortcuts="t">
        Go to file
      </Button>
      {isOpen ? <FindFileDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
