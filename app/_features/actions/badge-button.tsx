'use client'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_components/primer'
import type { BadgeDialogProps } from './badge-dialog'

const BadgeDialog = dynamic(async () => (await import('./badge-dialog')).BadgeDialog)

/** Button that opens a dialog with the Markdown of a workflow's badge. */
export function BadgeButton(props: Omit<BadgeDialogProps, 'onClose'>): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Create status badge
      </Button>
      {isOpen ? <BadgeDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
