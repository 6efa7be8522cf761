'use client'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { hideSteps } from './hide-steps'

export function HideStepsButton({ accountId }: { accountId: number }): ReactNode {
  return (
    <Button
      size="small"
      variant="invisible"
      aria-label="Hide the first steps"
      onClick={() => {
        hideSteps(accountId)
        refreshPage()
      }}
    >
      Hide
    </Button>
  )
}
