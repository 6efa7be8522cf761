'use client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { onFirstUse, useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { ConfirmDialogProps } from './confirm-dialog'
import { LightButton } from './light-button'

interface AskButtonProps {
  /** Label of the button. */
  label: string
  /** Accessible name, if several buttons on a page have the same label. */
  name?: string
  size?: 'small' | 'medium'
  variant?: 'danger' | 'default'
  /** Success message, or a function if it depends on the response. */
  done: string | (() => string)
  /** Called when the dialog opens or closes. */
  onAsking?: (isAsking: boolean) => void
  /** Called after success to refresh the page or leave it. */
  onDone: () => unknown
  dialog: (asked: { finish: () => Promise<void>; close: () => void }) => ReactNode
}

/** Button that opens a dialog. */
export function AskButton(props: AskButtonProps): ReactNode {
  const { label, name, size = 'medium', variant = 'danger', done, onAsking, onDone, dialog } = props
  const [asking, setState] = useState(false)
  const setAsking = (isAsking: boolean): void => {
    setState(isAsking)
    onAsking?.(isAsking)
  }
  const finish = async (): Promise<void> => {
    toast.success(typeof done === 'string' ? done : done())
    await onDone()
    setAsking(false)
  }
  return (
    <>
      <LightButton
        size={size}
        variant={variant}
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        {label}
      </LightButton>
      {asking ? dialog({ finish, close: () => setAsking(false) }) : null}
    </>
  )
}

interface ConfirmButtonProps extends Omit<AskButtonProps, 'dialog'> {
  title: string
  /** Label of the dialog's button. */
  confirm: string
  /** Label of the dialog's other button, if "Cancel" could be misread. */
  dismiss?: string
  /** Text that must be typed to enable the dialog's button. */
  typedName?: string
  /** Consequences of the action, shown in the dialog. */
  children: ReactNode
  run: () => Promise<unknown>
}

/** Button that asks for confirmation before a destructive action. Errors are shown in the dialog. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { title, confirm, dismiss, typedName, children, run, ...button } = props
  return (
    <AskButton
      {...button}
      dialog={asked => (
        <Confirmation {...asked} {...{ title, confirm, dismiss, typedName, run }}>
          {children}
        </Confirmation>
      )}
    />
  )
}

type ConfirmationProps = Pick<
  ConfirmButtonProps,
  'title' | 'confirm' | 'dismiss' | 'typedName' | 'children' | 'run'
> &
  Parameters<AskButtonProps['dialog']>[0]

function Confirmation({ children, run, finish, close, ...labels }: ConfirmationProps): ReactNode {
  const running = useMutation({ mutationFn: run, onSuccess: finish })
  return (
    <LazyConfirmDialog
      {...labels}
      pending={running.isPending}
      failure={running.error ? readFailure(running.error).message : undefined}
      onConfirm={() => running.mutate()}
      onClose={close}
    >
      {children}
    </LazyConfirmDialog>
  )
}

const loadDialog = async () => (await import('./confirm-dialog')).ConfirmDialog
// Loads the dialog in advance, so that pressing a button opens it immediately.
onFirstUse(() => void loadDialog().catch(() => undefined))

/** The dialog of `confirm-dialog.tsx`, loaded once the viewer starts using the page. */
export function LazyConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const ConfirmDialog = useLazyComponent(loadDialog, true, error => {
    props.onClose()
    toast.error(readFailure(error).message)
  })
  return ConfirmDialog ? <ConfirmDialog {...props} /> : null
}
