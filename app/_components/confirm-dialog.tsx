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
  /** What will be gone and what stops working. */
  children: ReactNode
  confirm: string
  /** On the button that leaves all as it is. */
  dismiss?: string | undefined
  /** All that is to be known before agreeing is shown. */
  ready?: boolean
  pending: boolean
  failure: string | undefined
  /** Why there is nothing to agree to, known before anything was tried; all that is left is to close. */
  refusal?: string | undefined
  /** What would have to be done first; shown with a refusal. */
  inTheWay?: ReactNode
  /** Must be typed before the button works. */
  typedName?: string | undefined
  /** Among the children, what must be filled in before the button works. */
  firstField?: RefObject<HTMLInputElement | null> | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is destroyed; focus starts on what must be filled in, where there is anything, or else on the way out. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, children, confirm, dismiss = 'Cancel', ready = true } = props
  const { pending, failure, refusal, inTheWay, typedName, firstField } = props
  const { onConfirm, onClose } = props
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const first = typedName === undefined ? firstField : field
  const matches = typedName === undefined || typed === typedName
  const reason = useRef<HTMLDivElement>(null)
  // The field that had the keyboard goes.
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
                // The second half of a double click comes before the dialog shows that the first is under way.
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
            <Banner variant="warning" title="This cannot be done now" description={refusal} />
          </div>
        ) : failure ? (
          <div role="alert">
            <Banner variant="critical" title="That did not work" description={failure} />
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
