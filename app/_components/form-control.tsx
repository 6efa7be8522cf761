'use client'
import { Checkbox, Radio } from '@primer/react'
import {
  Children,
  cloneElement,
  createContext,
  isValidElement,
  type ReactElement,
  type ReactNode,
  use,
  useId,
} from 'react'
import { AlertFillIcon } from '@/app/_components/icons'
import styles from './form-control.module.css'

interface Ids {
  control: string
  caption: string
  problem: string
  disabled: boolean
}

const IdsContext = createContext<Ids | undefined>(undefined)

/** Props set on the wrapped control unless the control has its own. */
interface ControlProps {
  id?: string
  disabled?: boolean
  validationStatus?: 'error'
  'aria-describedby'?: string
}

interface FormControlProps {
  children: ReactNode
  disabled?: boolean | undefined
}

/**
 * Connects a control with its label, caption, and error message for screen readers. The UI kit's component of
 * the same name would add all of the kit's pickers to the bundle.
 */
export function FormControl({ children, disabled = false }: FormControlProps): ReactNode {
  const id = useId()
  const parts = Children.toArray(children).filter(isValidElement<ControlProps>)
  const [label, caption, problem] = [Label, Caption, Validation].map(type =>
    parts.find(part => part.type === type),
  )
  const [control, ...rest] = parts.filter(part => part !== label && part !== caption && part !== problem)
  const ids = { control: id, caption: `${id}-caption`, problem: `${id}-problem`, disabled }
  const wired = control && cloneElement(control, wiring(control, ids, caption, problem))
  const isChoice = control?.type === Checkbox || control?.type === Radio

  return (
    <IdsContext value={ids}>
      {isChoice ? (
        <div className={styles.choice}>
          {wired}
          <div className={styles.words}>
            {label}
            {caption}
          </div>
        </div>
      ) : (
        <div className={styles.field}>
          {label}
          {wired}
          {rest}
          {problem}
          {caption}
        </div>
      )}
    </IdsContext>
  )
}

function wiring(
  control: ReactElement<ControlProps>,
  ids: Ids,
  caption: ReactNode,
  problem: ReactNode,
): ControlProps {
  const describedBy = [problem ? ids.problem : '', caption ? ids.caption : ''].filter(Boolean).join(' ')
  return {
    id: ids.control,
    ...(ids.disabled ? { disabled: true } : {}),
    ...(problem ? { validationStatus: 'error' } : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    ...control.props,
  }
}

function useIds(): Ids {
  const ids = use(IdsContext)
  if (!ids) throw new Error('A label, caption, or validation must be inside a FormControl.')
  return ids
}

interface LabelProps {
  children: ReactNode
  visuallyHidden?: boolean | undefined
}

function Label({ children, visuallyHidden = false }: LabelProps): ReactNode {
  const { control, disabled } = useIds()
  return (
    <label
      id={`${control}-label`}
      htmlFor={control}
      className={visuallyHidden ? 'visually-hidden' : styles.label}
      data-disabled={disabled || undefined}
    >
      {children}
    </label>
  )
}

function Caption({ children }: { children: ReactNode }): ReactNode {
  const { caption, disabled } = useIds()
  return (
    <span id={caption} className={styles.caption} data-disabled={disabled || undefined}>
      {children}
    </span>
  )
}

function Validation({ children }: { children: ReactNode; variant: 'error' }): ReactNode {
  const { problem } = useIds()
  return (
    <span id={problem} className={styles.problem}>
      <AlertFillIcon size={12} className={styles.problemIcon} />
      <span>{children}</span>
    </span>
  )
}

FormControl.Label = Label
FormControl.Caption = Caption
FormControl.Validation = Validation
