'use client'
import {
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Banner } from './banner'
import styles from './confirm-dialog.module.css'
import { CommandLine } from './copy-button'
import { Dialog, FormControl, TextInput } from './primer'

export interface ConfirmDialogProps {
  title: string
  /** Consequences of the action. */
  children: ReactNode
  confirm: string
  /** Label of the button that cancels. */
  dismiss?: string | undefined
  /** Whether everything that the viewer must know before confirming has loaded. */
  ready?: boolean
  pending: boolean
  failure: string | undefined
  /** Reason why the action is not possible, known before trying. The dialog can then only be closed. */
  refusal?: string | undefined
  /** Obstacles to remove first, shown with the refusal. */
  inTheWay?: ReactNode
  /** Text that must be typed to enable the button. */
  typedName?: string | undefined
  /** The field among the children that must be filled in to enable the button. */
  firstField?: RefObject<HTMLInputElement | null> | undefined
  onConfirm: () => void
  onClose: () => void
}

/**
 * Dialog that asks for confirmation before a destructive action. The focus starts on the first field to fill
 * in, or otherwise on the cancel button.
 */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, children, confirm, dismiss = 'Cancel', ready = true } = props
  const { pending, failure, refusal, inTheWay, typedName, firstField } = props
  const { onConfirm, onClose } = props
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const first = typedName === undefined ? firstField : field
  const matches = typedName === undefined || typed === typedName
  const reason = useRef<HTMLDivElement>(null)
  // The field that had the focus disappears.
  const isFieldRemoved = refusal !== undefined && typedName !== undefined
  useEffect(() => {
    if (isFieldRemoved) reason.current?.focus()
  }, [isFieldRemoved])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    if (matches && ready && !pending) onConfirm()
  }

  return (
    <Dialog
      title={title}
      role="alertdialog"
      width="large"
      onClose={onClose}
      {...(first && { initialFocusRef: first })}
      footerButtons={[
        {
          content: refusal ? 'Close' : dismiss,
          autoFocus: first === undefined,
          onClick: onClose,
        },
        ...(refusal
          ? []
          : [
              {
                content: confirm,
                buttonType: 'danger' as const,
                disabled: !matches || !ready,
                loading: pending,
                // The second click of a double click arrives before the dialog shows that the action is
                // running.
                onClick: ({ detail }: MouseEvent) => {
                  if (detail < 2) onConfirm()
                },
              },
            ]),
      ]}
    >
      <div className={styles.body}>
        {refusal ? (
          <div ref={reason} role="alert" tabIndex={-1}>
            <Banner variant="warning" title="You can’t do this yet" description={refusal} />
          </div>
        ) : failure ? (
          <div role="alert">
            <Banner variant="critical" title="Something went wrong" description={failure} />
          </div>
        ) : null}
        {refusal ? inTheWay : children}
        {typedName === undefined || refusal ? null : (
          <form className={styles.typed} onSubmit={submit}>
            <CommandLine command={typedName} what="name" />
            <FormControl>
              <FormControl.Label>{`Type “${typedName}” to confirm`}</FormControl.Label>
              <TextInput
                ref={field}
                block
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={typed}
                onChange={event => setTyped(event.target.value)}
              />
            </FormControl>
          </form>
        )}
      </div>
    </Dialog>
  )
}
