'use client'
import type { ReactNode } from 'react'
import { AskButton } from '@/app/_components/confirm-button'
import { DepartureDialog, type DepartureDialogProps } from './departure-dialog'

type DepartureButtonProps = Omit<Parameters<typeof AskButton>[0], 'dialog'> &
  Omit<DepartureDialogProps, 'onDone' | 'onClose'>

/** A button for a way out of a team, an organization or the site, which names all that it ends before it is taken. */
export function DepartureButton(props: DepartureButtonProps): ReactNode {
  const { wayOut, isOwn, title, confirm, typedName, children, ...button } = props
  return (
    <AskButton
      {...button}
      dialog={({ finish, close }) => (
        <DepartureDialog
          wayOut={wayOut}
          isOwn={isOwn}
          title={title}
          confirm={confirm}
          typedName={typedName}
          onDone={finish}
          onClose={close}
        >
          {children}
        </DepartureDialog>
      )}
    />
  )
}
