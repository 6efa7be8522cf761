'use client'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './primer'

interface BusyButtonProps extends Omit<ComponentProps<typeof Button>, 'loading' | 'leadingVisual'> {
  isBusy: boolean
  /** Label while the button is busy. */
  busy: string
}

const Nothing = (): null => null

/** Button whose label shows its progress while it is busy. For several buttons next to each other. */
export function BusyButton({ isBusy, busy, children, ...button }: BusyButtonProps): ReactNode {
  // The UI kit's spinner replaces a leading visual or, if there is none, the label.
  return (
    <Button labelWrap {...button} loading={isBusy} {...(isBusy ? { leadingVisual: Nothing } : {})}>
      {isBusy ? busy : children}
    </Button>
  )
}
