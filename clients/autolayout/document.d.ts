/** Documents and ops as they are written: LANGUAGE.md. The same declarations as in `scenesync.d.ts`. */

export type Rectangle = [x: number, y: number, width: number, height: number];

export type Pair = [number, number];

/** What a view is drawn as. */
export type Kind = "view" | "label" | "stack" | "scroll" | "flow" | "image";

/** What a view of a document is. LANGUAGE.md, section 3. */
export type ViewKind = Kind | "button" | "switch" | "slider" | "textField" | "segmented" | "progress";

/** What a view can ask to hear of. LANGUAGE.md, section 3. */
export type EventKind = "tap" | "press" | "hover" | "key" | "scroll" | "input";

export type Border = "none" | "single" | "rounded" | "double" | "heavy";

export type Align = "left" | "center" | "right" | "natural" | "justified";

/** The keys of a view that can be changed. LANGUAGE.md, section 3. */
export interface ViewProperties {
  text?: string;
  lines?: number;
  align?: Align;
  preferredWidth?: number;
  background?: string;
  foreground?: string;
  border?: Border;
  opacity?: number;
  hidden?: boolean;
  clips?: boolean;
  contentMode?:
    | "scaleToFill" | "scaleAspectFit" | "scaleAspectFill" | "redraw" | "center" | "top" | "bottom" | "left" | "right"
    | "topLeft" | "topRight" | "bottomLeft" | "bottomRight";
  collapses?: "width" | "height" | boolean;
  intrinsic?: Pair;
  hugging?: Pair;
  compression?: Pair;
  baseline?: Pair;
  margins?: [top: number, leading: number, bottom: number, trailing: number];
  safeArea?: [top: number, leading: number, bottom: number, trailing: number];
  frame?: Rectangle;
  frameIn?: Pair;
  autoresizing?: (
    | "flexibleLeftMargin" | "flexibleWidth" | "flexibleRightMargin" | "flexibleTopMargin" | "flexibleHeight"
    | "flexibleBottomMargin"
  )[];
  axis?: "horizontal" | "vertical";
  distribution?: "fill" | "fillEqually" | "fillProportionally" | "equalSpacing" | "equalCentering";
  alignment?: "fill" | "leading" | "center" | "trailing" | "top" | "bottom" | "firstBaseline" | "lastBaseline";
  spacing?: number;
  customSpacing?: Record<string, number>;
  arranged?: string[];
  contentOffset?: Pair;
  layoutMarginsRelativeArrangement?: boolean;
  dynamicType?: boolean;
  traits?: Traits;
  variations?: ({ when: string } & Omit<ViewProperties, "traits" | "variations">)[];
  insetsLayoutMarginsFromSafeArea?: boolean;
  preservesSuperviewLayoutMargins?: boolean;
  keyboardUsesBottomSafeArea?: boolean;
  minimumContentSizeCategory?: string;
  maximumContentSizeCategory?: string;
  installed?: boolean;
  alignmentInsets?: [top: number, leading: number, bottom: number, trailing: number];
  contentInset?: [top: number, leading: number, bottom: number, trailing: number];
  contentInsetAdjustmentBehavior?: "automatic" | "scrollableAxes" | "never" | "always";
  layoutMarginsFollowReadableWidth?: boolean;
  baselineRelativeArrangement?: boolean;
  textStyle?: "largeTitle" | "title1" | "title2" | "title3" | "headline" | "body" | "callout" | "subheadline" | "footnote" | "caption1" | "caption2";
  fontSize?: number;
  fontWeight?: "ultraLight" | "thin" | "light" | "regular" | "medium" | "semibold" | "bold" | "heavy" | "black";
  lineBreakMode?: "byWordWrapping" | "byCharWrapping" | "byClipping" | "byTruncatingHead" | "byTruncatingTail" | "byTruncatingMiddle";
  minimumScaleFactor?: number;
  cornerRadius?: number;
  maskedCorners?: ("topLeft" | "topRight" | "bottomLeft" | "bottomRight")[];
  borderWidth?: number;
  borderColor?: string;
  shadow?: { color?: string; offset?: Pair; radius?: number; opacity?: number };
  gradient?: { colors: string[]; locations?: number[]; startPoint?: Pair; endPoint?: Pair };
  tint?: string;
  transform?: { rotation?: number; scale?: number | Pair; translation?: Pair };
  image?: string | { hash: string; scale?: number; width?: number; height?: number; type?: string };
  symbol?: string;
  chart?: {
    values: number[]; style?: "line" | "area" | "bars"; minimum?: number; maximum?: number; color?: string; lineWidth?: number; gridLines?: number;
  };
  events?: EventKind[];
  enabled?: boolean;
  focusable?: boolean;
  selected?: boolean;
  continuous?: boolean;
  scrolls?: "together" | "each";
  label?: string;
  role?: string;
  hint?: string;
  value?: boolean | number | string;
  minimum?: number;
  maximum?: number;
  step?: number;
  placeholder?: string;
  segments?: string[];
}

export type SizeClass = "unspecified" | "compact" | "regular";

export interface Environment {
  horizontalSizeClass?: SizeClass;
  verticalSizeClass?: SizeClass;
  contentSizeCategory?: string;
  userInterfaceStyle?: "unspecified" | "light" | "dark";
  idiom?: string;
  typography?: "unspecified" | "grid" | "faces";
  accessibilityContrast?: "unspecified" | "normal" | "high";
}

/** Traits that a view sets for itself and all below it. SPEC.md, TRAIT-2. */
export interface Traits extends Environment {
  scale?: number;
  direction?: "ltr" | "rtl";
  windowClass?: "unspecified" | "compact" | "medium" | "expanded" | "large" | "extraLarge";
}

/** The keys of a viewport. LANGUAGE.md, section 2. */
export interface ViewportProperties extends Environment {
  width?: number;
  height?: number;
  scale?: number;
  direction?: "ltr" | "rtl";
  rounding?: "pixel" | "none";
  unsatisfiable?: "refuse" | "break";
  cell?: Pair;
  safeArea?: { top?: number; leading?: number; bottom?: number; trailing?: number } | [number, number, number, number];
  keyboard?: number;
  margins?: [top: number, leading: number, bottom: number, trailing: number] | "view" | "controller";
}

export interface View extends ViewProperties {
  id: string;
  parent?: string;
  index?: number;
  kind?: ViewKind;
}

export interface ConstraintObject {
  id?: string;
  rule?: string;
  vfl?: string;
  options?: string[];
  active?: boolean;
  identifier?: string;
  placeholder?: boolean;
  variations?: { when: string; constant?: number; priority?: number; active?: boolean }[];
}

export type Constraint = string | ConstraintObject;

export interface SceneDocument {
  scene: 1;
  viewport: ViewportProperties & { width: number; height: number };
  views?: View[];
  guides?: { id: string; parent?: string }[];
  constraints?: Constraint[];
  sets?: Record<string, { when?: string; constraints: Constraint[] }>;
  devices?: Record<string, Omit<ViewportProperties, "unsatisfiable"> & { strict?: boolean }>;
}

/** An op as the wire has it. */
export interface Op {
  op: string;
  [key: string]: unknown;
}
