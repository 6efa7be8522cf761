'use client'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './primer'

interface BusyButtonProps extends Omit<ComponentProps<typeof Button>, 'loading' | 'leadingVisual'> {
  isBusy: boolean
  /** What it says while it is. */
  busy: string
}

const Nothing = (): null => null

/** A button that says what it does while it does it, where several stand side by side. */
export function BusyButton({ isBusy, busy, children, ...button }: BusyButtonProps): ReactNode {
  // The kit's turning wheel takes the place of a visual, and without one that of the words.
  return (
    <Button labelWrap {...button} loading={isBusy} {...(isBusy ? { leadingVisual: Nothing } : {})}>
      {isBusy ? busy : children}
    </Button>
  )
}
