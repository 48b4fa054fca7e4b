extension Window {
    /// Tries again, now, to put every broken constraint back in force.
    public func restoreBrokenConstraints() {
        engine?.retryBrokenConstraints()
    }
}

extension LayoutConstraint {
    /// Makes a change that may contradict other constraints for the time being; the newest of a
    /// conflict, perhaps this one, is given up until the contradiction is gone.
    ///
    /// - Throws: What `change` throws, except `unsatisfiable`.
    public func changeBreaking(_ change: (LayoutConstraint) throws(LayoutError) -> Void)
        throws(LayoutError)
    {
        do {
            try change(self)
        } catch .unsatisfiable {
            deactivate()
            try change(self)
            activateBreaking()
        }
    }
}
