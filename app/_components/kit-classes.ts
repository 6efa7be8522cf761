/**
 * Classes of the UI kit for controls that lists repeat. Such a control writes its own element, because the
 * kit's component takes several times as much HTML and time to render. A test compares these with the kit's.
 */
export const kitClasses = {
  button: 'prc-Button-ButtonBase-9n-Xk',
  iconButton: 'prc-Button-ButtonBase-9n-Xk prc-Button-IconButton-fyge7',
  buttonContent: 'prc-Button-ButtonContent-Iohp5',
  buttonText: 'prc-Button-Label-FWkx3',
  buttonVisual: 'prc-Button-Visual-YNt2F prc-Button-VisualWrap-E4cnq',
  checkbox: 'prc-Checkbox-Checkbox-jjOgT',
  checkboxInput: 'prc-Checkbox-Input-lWIkv',
  link: 'prc-Link-Link-9ZwDx',
  tooltip: 'prc-TooltipV2-Tooltip-tLeuB',
} as const
