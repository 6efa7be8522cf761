'use client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { onFirstUse, useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { ConfirmDialogProps } from './confirm-dialog'
import { Button } from './primer'

interface AskButtonProps {
  /** On the button. */
  label: string
  /** What the button is called where several on a page have the same label. */
  name?: string
  size?: 'small' | 'medium'
  variant?: 'danger' | 'default'
  /** Said once all is done; a function where that depends on the answer. */
  done: string | (() => string)
  /** Told when the dialog opens and closes. */
  onAsking?: (isAsking: boolean) => void
  /** Brings what is shown up to date, or leads to another page, once all is done. */
  onDone: () => unknown
  dialog: (asked: { finish: () => Promise<void>; close: () => void }) => ReactNode
}

/** A button that opens a dialog. */
export function AskButton(props: AskButtonProps): ReactNode {
  const { label, name, size, variant = 'danger', done, onAsking, onDone, dialog } = props
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
      <Button
        size={size}
        variant={variant}
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      {asking ? dialog({ finish, close: () => setAsking(false) }) : null}
    </>
  )
}

interface ConfirmButtonProps extends Omit<AskButtonProps, 'dialog'> {
  title: string
  /** On the button of the dialog. */
  confirm: string
  /** On the other button of the dialog; "Cancel", unless that could be misread. */
  dismiss?: string
  /** Must be typed before that button works. */
  typedName?: string
  /** What will be gone and what stops working. */
  children: ReactNode
  run: () => Promise<unknown>
}

/** A button that asks before it destroys something; what goes wrong is said in the dialog. */
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
// A dialog is asked for by a button, and should not have to be waited for then.
onFirstUse(() => void loadDialog().catch(() => undefined))

/** The dialog of `confirm-dialog.tsx`, fetched when somebody begins to use the page. */
export function LazyConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const ConfirmDialog = useLazyComponent(loadDialog, true, error => {
    props.onClose()
    toast.error(readFailure(error).message)
  })
  return ConfirmDialog ? <ConfirmDialog {...props} /> : null
}
