import type { ComponentProps, ReactNode } from 'react'
import { kitClasses } from './kit-classes'

interface LookProps {
  size?: 'small' | 'medium'
  variant?: 'default' | 'primary' | 'danger' | 'invisible'
}

interface LightButtonProps extends ComponentProps<'button'>, LookProps {
  trailingVisual?: ReactNode
}

/** Button that looks like the UI kit's, for lists and for every page, because it is rendered in less time. */
export function LightButton(props: LightButtonProps): ReactNode {
  const { size = 'medium', variant = 'default', trailingVisual, className, children, ...button } = props
  return (
    <button
      type="button"
      data-component="Button"
      data-size={size}
      data-variant={variant}
      {...button}
      className={className ? `${kitClasses.button} ${className}` : kitClasses.button}
    >
      <ButtonContent trailingVisual={trailingVisual}>{children}</ButtonContent>
    </button>
  )
}

interface LightIconButtonProps extends ComponentProps<'button'>, Pick<LookProps, 'size'> {}

/** Invisible button with only an icon. */
export function LightIconButton({ size = 'medium', className, ...button }: LightIconButtonProps): ReactNode {
  return (
    <button
      type="button"
      data-size={size}
      data-variant="invisible"
      {...button}
      className={className ? `${kitClasses.iconButton} ${className}` : kitClasses.iconButton}
    />
  )
}

/** What is inside a button, or inside a link that looks like one. */
export function ButtonContent({
  trailingVisual,
  children,
}: Pick<LightButtonProps, 'trailingVisual' | 'children'>): ReactNode {
  return (
    <span className={kitClasses.buttonContent} data-align="center">
      <span className={kitClasses.buttonText}>{children}</span>
      {trailingVisual ? (
        <span className={kitClasses.buttonVisual} data-component="trailingVisual">
          {trailingVisual}
        </span>
      ) : null}
    </span>
  )
}
