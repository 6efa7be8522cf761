'use client'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { isolated } from '@/app/_lib/visible-text'

/**
 * Button that converts a release to a draft. It asks for confirmation, because publishing the release again
 * does not restore its date.
 */
export function WithdrawRelease({
  tag,
  withdraw,
}: {
  tag: string
  withdraw: () => Promise<void>
}): ReactNode {
  return (
    <ConfirmButton
      label="Convert to draft…"
      variant="default"
      title={`Convert ${isolated(tag)} to a draft?`}
      confirm="Convert to draft"
      run={withdraw}
      done={`Converted ${isolated(tag)} to a draft`}
      onDone={() => undefined}
    >
      <p>
        Only people who can edit releases will be able to see it. Links to the release and its files will stop
        working for everyone else. Publishing it again will give it a new date.
      </p>
      <p>
        The tag <bdi>{tag}</bdi> stays in the repository. Unsaved changes stay in the form.
      </p>
    </ConfirmButton>
  )
}
